/**
 * Measures a corpus of the generator against the targets of dense central retrieval, prints what was reached, and with
 * --write keeps the residuals in corpora/atlas/corpus.yaml and the vectors beside it. Worlds held out from the choice
 * of parameters are measured with --held-out, and the mean over them is kept too. Vectors made before are taken from
 * corpora/atlas and from the directories named by --vectors, which hold them as a corpus does.
 *
 *     npx tsx bench/corpora/calibrate.ts [--seed 1] [--held-out 2 --held-out 3] [--vectors DIR]... [--write]
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import { generateWorld } from "../../src/corpora/generator/coverage.ts";
import { generateCorpus, generatorOptions } from "../../src/corpora/generator/generate.ts";
import { planSites } from "../../src/corpora/generator/sites.ts";
import { contentWords, wordsOf } from "../../src/corpora/generator/words.ts";
import { Streams } from "../../src/kernel/random.ts";
import { packageRoot } from "../../src/package-root.ts";
import { sentenceEmbedder } from "../../src/retrieval/embedders/sentence.ts";
import { pageText, textSha256 } from "../../src/retrieval/page-text.ts";
import { readVectors, writeVectors } from "../../src/retrieval/vector-files.ts";
import { templateGuard } from "./template-guard.ts";
import { best, denseScores, measures, ReferenceBm25, standardised } from "./ranking.ts";
import { heapsAndZipf, repeatedNgrams } from "./text-statistics.ts";

/** Published for the benchmark's central index; BM25 and hybrid by NDCG@3. */
const targets = {
  "dense hit@1": 0.34,
  "dense ndcg@3": 0.479,
  "dense ndcg@5": 0.51,
  "dense recall@3": 0.576,
  "dense recall@5": 0.653,
  "bm25 ndcg@3": 0.281,
  "hybrid ndcg@3": 0.434,
  "gold top 1": 0.083,
  "gold top 5": 0.32,
  "gold top 10": 0.5,
  "gold effective sites": 36,
  "gold of generalists": 0.4,
  "relevant pages a topic": 2.5,
  "labelled share": 0.4,
  "absent words": 0.4,
  "wrong copies": 0.1,
} as const;
type Quantity = keyof typeof targets;
const quantities = Object.keys(targets) as Quantity[];

const { values: args } = parseArgs({
  options: {
    seed: { type: "string" },
    "held-out": { type: "string", multiple: true, default: [] },
    vectors: { type: "string", multiple: true, default: [] },
    write: { type: "boolean" },
  },
});
const embedder = sentenceEmbedder();
const atlas = join(packageRoot, "corpora", "atlas");
const before = [atlas, ...args.vectors].flatMap((directory) =>
  (["documents", "topics"] as const).map((part) => readVectors(directory, part, embedder).byText),
);
const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;

async function main(): Promise<void> {
  const seed = Number(args.seed ?? 1);
  const fitted = await measure(seed);
  if (args.write === true) write(seed, fitted);
  const heldOut: Measured[] = [];
  for (const other of args["held-out"]) heldOut.push(await measure(Number(other)));
  if (heldOut.length === 0) return;
  const means = quantities.map(
    (quantity) => [quantity, mean(heldOut.map(({ reached }) => reached[quantity]))] as const,
  );
  console.log(`mean over the held-out seeds ${args["held-out"].join(", ")}`);
  for (const [quantity, value] of means) console.log(`${quantity.padEnd(24)} ${value.toFixed(3)}`);
  if (args.write === true) {
    keep({ heldOut: { seeds: args["held-out"].map(Number), ...residuals(Object.fromEntries(means)) } });
  }
}

interface Measured {
  readonly reached: Readonly<Record<Quantity, number>>;
  readonly pageVectors: ReadonlyMap<string, Int16Array>;
  readonly queryVectors: ReadonlyMap<string, Int16Array>;
}

/** Generates the world of a seed with the default options, measures it and prints what was reached. */
async function measure(seed: number): Promise<Measured> {
  const { sites, documents, parameters } = generatorOptions({ seed });
  const streams = new Streams(seed, 0);
  const plan = planSites(sites, parameters, streams);
  const items = [...generateWorld(documents, plan, parameters, streams)];
  const pages = items.flatMap((item) => (item.kind === "page" ? [item.page] : []));
  const topics = items.flatMap((item) => (item.kind === "topic" ? [item] : []));
  const reached: Partial<Record<Quantity, number>> = {};

  const gold = new Map<string, number>();
  for (const { topic } of topics) {
    for (const id of Object.keys(topic.relevant)) {
      const site = `${id.slice(0, id.lastIndexOf("-"))}.example`;
      gold.set(site, (gold.get(site) ?? 0) + 1);
    }
  }
  const counts = [...gold.values()].sort((a, b) => b - a);
  const labels = counts.reduce((sum, count) => sum + count, 0);
  for (const k of [1, 5, 10] as const) reached[`gold top ${k}`] = mean(counts.slice(0, k)) * (k / labels);
  reached["gold effective sites"] =
    (labels * (labels - 1)) / counts.reduce((sum, count) => sum + count * (count - 1), 0);
  const generalists = plan.sites.filter(({ site }) => site.topics.length >= 30);
  reached["gold of generalists"] = generalists.reduce((sum, { site }) => sum + (gold.get(site.id) ?? 0), 0) / labels;
  reached["relevant pages a topic"] = mean(topics.map(({ relevant }) => relevant.length));
  reached["labelled share"] = labels / topics.reduce((sum, { relevant }) => sum + relevant.length, 0);
  reached["absent words"] = mean(
    topics.map(({ topic, gold: page }) => {
      const words = new Set(wordsOf(pageText(page.document)));
      const content = contentWords(topic.query);
      return content.filter((word) => !words.has(word)).length / content.length;
    }),
  );
  reached["wrong copies"] = mean(pages.flatMap(({ stated }) => stated.map(({ correct }) => (correct ? 0 : 1))));

  const made = (text: string): Int16Array | undefined => before.map((vectors) => vectors.get(text)).find(Boolean);
  const embedAll = async (texts: readonly string[]): Promise<Map<string, Int16Array>> => {
    const vectors = new Map<string, Int16Array>();
    for (const [at, text] of texts.entries()) {
      const key = textSha256(text);
      vectors.set(key, made(key) ?? (await embedder.embed(text)));
      if (at % 500 === 499) process.stderr.write(`${at + 1} of ${texts.length} texts embedded\n`);
    }
    return vectors;
  };
  const pageVectors = await embedAll(pages.map(({ document }) => pageText(document)));
  const queryVectors = await embedAll(topics.map(({ topic }) => topic.query));
  const { dimensions } = embedder;
  const matrix = { dimensions, values: new Int16Array(pages.length * dimensions) };
  for (const [row, { document }] of pages.entries()) {
    matrix.values.set(pageVectors.get(textSha256(pageText(document)))!, row * dimensions);
  }

  const ranked = pages.map(({ document }) => document);
  const bm25 = new ReferenceBm25(ranked);
  const sums = new Map<string, number[]>();
  const add = (name: string, value: number): void => void sums.set(name, [...(sums.get(name) ?? []), value]);
  for (const { topic, entity } of topics) {
    const relevant = new Set(Object.keys(topic.relevant));
    const dense = denseScores(matrix, queryVectors.get(textSha256(topic.query))!);
    const words = bm25.scores(topic.query);
    const [z, zWords] = [standardised(dense), standardised(words)];
    const lists = { dense, bm25: words, hybrid: z.map((value, row) => value + zWords[row]!) };
    for (const [name, scores] of Object.entries(lists)) {
      for (const [measure, value] of Object.entries(measures(best(scores, ranked, 5), relevant))) {
        add(`${name} ${measure}`, value);
        if (measure === "ndcg@3") add(`${name} on ${entity.kind.id}`, value);
      }
    }
  }
  for (const quantity of quantities) reached[quantity] ??= mean(sums.get(quantity)!);

  console.log(`seed ${seed}: ${pages.length} pages, ${topics.length} topics`);
  for (const quantity of quantities) {
    const [target, value] = [targets[quantity], reached[quantity]!];
    console.log(`${quantity.padEnd(24)} target ${target.toFixed(3)}  reached ${value.toFixed(3)}`);
  }
  for (const [name, list] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${name.padEnd(24)} ${mean(list).toFixed(3)} (n ${list.length})`);
  }
  const texts = pages.map(({ document }) => document.text);
  console.log("Heaps and Zipf", heapsAndZipf(texts));
  console.log("share of word 5-grams that occur on another page too", repeatedNgrams(texts, 5).toFixed(3));
  const guard = templateGuard(
    pages.map(({ document }) => document),
    topics.map(({ gold: page }) => page.document),
  );
  console.log(`gold pages told from others by words without content: ${guard.toFixed(3)} (chance .500)`);
  console.log("No pages of real documentation were at hand to compare these with.");

  return { reached: reached as Record<Quantity, number>, pageVectors, queryVectors };
}

/** Generates corpora/atlas anew, with its residuals and vectors. */
function write(seed: number, { reached, pageVectors, queryVectors }: Measured): void {
  rmSync(atlas, { recursive: true, force: true });
  generateCorpus({ seed }, atlas);
  keep({ residuals: residuals(reached) });
  writeVectors(atlas, "documents", embedder, pageVectors);
  writeVectors(atlas, "topics", embedder, queryVectors);
}

function residuals(reached: Readonly<Record<string, number>>) {
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const entries = quantities.map((quantity) => {
    const [target, value] = [targets[quantity], reached[quantity]!];
    return [quantity, { target, reached: round(value), residual: round(value - target) }];
  });
  return Object.fromEntries(entries) as Record<string, object>;
}

/** Adds to corpora/atlas/corpus.yaml. */
function keep(more: object): void {
  const file = join(atlas, "corpus.yaml");
  const head = parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, stringify({ ...head, ...more }, { lineWidth: 0 }));
}

await main();
