/**
 * What the indexes are worth: `npx tsx bench/retrieval/backends.ts [--cache DIR] [CORPUS...]`, by default on those of
 * atlas, medquad and cranfield that are in corpora/. One search of all sites a topic, as classic-ir makes it. Prints the
 * rankings' quality for each set of topics (the part of the id before the first hyphen) with n and 95 % intervals over
 * topics, the paired differences between the indexes, and where their order is not the published one.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { readHead } from "../../src/corpora/read.ts";
import { FRACTION, pairedDifference, tInterval } from "../../src/metrics/intervals.ts";
import { ndcg, recall } from "../../src/metrics/ranking.ts";
import { type IndexKind, indexKinds } from "../../src/retrieval/document-index.ts";
import { openRetrieval, type Retrieval } from "../../src/retrieval/retrieval.ts";
import { gradesOf, groupedById, readSearchTopics, type SearchTopic } from "./search-topics.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: "string", default: ".awesim" } },
});

/** BM25 as Anserini and BEIR have it, beside our default. */
const anserini = { k1: 0.9, b: 0.4 };
const anserinisRow = `bm25 ${anserini.k1}/${anserini.b}`;
/** From the best to the worst by NDCG@3 of classic-ir: 47.9, 43.4 and 28.1 % on the paper's corpus. */
const published: readonly IndexKind[] = ["dense", "hybrid", "bm25"];

const measures = {
  "ndcg@3": (ranking, topic) => ndcg(ranking, gradesOf(topic), 3),
  "ndcg@10": (ranking, topic) => ndcg(ranking, gradesOf(topic), 10),
  "recall@5": (ranking, topic) => recall(ranking, gradesOf(topic), 5),
  "recall@10": (ranking, topic) => recall(ranking, gradesOf(topic), 10),
} satisfies Record<string, (ranking: string[], topic: SearchTopic) => number>;
type Measure = keyof typeof measures;
const measureNames = Object.keys(measures) as Measure[];

void main();

async function main(): Promise<void> {
  const usual = ["atlas", "medquad", "cranfield"].map((name) => `corpora/${name}`);
  for (const corpus of positionals.length > 0 ? positionals : usual.filter((directory) => existsSync(directory))) {
    const common = { cacheDirectory: options.cache, embedder: "sentence" };
    const ours = await openRetrieval(corpus, { ...common, indexes: indexKinds });
    const other = await openRetrieval(corpus, { ...common, indexes: ["bm25"], bm25: anserini });
    console.log(`${readHead(corpus).name}: ${ours.documentCount()} pages`);
    for (const [set, topics] of groupedById(await readSearchTopics(corpus))) {
      const rankings = new Map<string, string[][]>();
      for (const kind of indexKinds) rankings.set(kind, await rankingsOf(ours, topics, kind));
      rankings.set(anserinisRow, await rankingsOf(other, topics, "bm25"));
      printSet(set, topics, rankings);
    }
    ours.close();
    other.close();
    console.log();
  }
}

async function rankingsOf(retrieval: Retrieval, topics: readonly SearchTopic[], kind: IndexKind): Promise<string[][]> {
  const rankings: string[][] = [];
  for (const { query } of topics) {
    rankings.push((await retrieval.search(query, null, 10, kind)).map(({ id }) => id));
  }
  return rankings;
}

function printSet(set: string, topics: readonly SearchTopic[], rankings: ReadonlyMap<string, string[][]>): void {
  const scores = (index: string, measure: Measure): number[] =>
    topics.map((topic, i) => measures[measure](rankings.get(index)?.[i] as string[], topic));
  console.log(`\n  ${set}, n ${topics.length}`);
  console.log(`  ${"".padEnd(14)}${measureNames.map((name) => name.padEnd(24)).join("")}`);
  for (const index of rankings.keys()) {
    const cells = measureNames.map((measure) => {
      const { mean, low, high } = tInterval(scores(index, measure), FRACTION);
      return `${fixed(mean)} [${fixed(low)}, ${fixed(high)}]`.padEnd(24);
    });
    console.log(`  ${index.padEnd(14)}${cells.join("")}`);
  }
  published.slice(0, -1).forEach((better, place) => {
    for (const worse of published.slice(place + 1)) {
      for (const measure of ["ndcg@3", "ndcg@10"] as const) {
        const { mean, low, high } = pairedDifference(scores(better, measure), scores(worse, measure));
        console.log(`  ${measure} of ${better} less ${worse}: ${fixed(mean)} [${fixed(low)}, ${fixed(high)}]`);
      }
    }
  });
  printOrder((index) => scores(index, "ndcg@3"));
}

/** A pair is out of order when the worse of the paper is ahead, its interval clear of 0. */
function printOrder(scoresOf: (index: IndexKind) => number[]): void {
  const faults = published.flatMap((better, place) =>
    published.slice(place + 1).flatMap((worse) => {
      const { high, low } = pairedDifference(scoresOf(better), scoresOf(worse));
      if (high !== null && high < 0) return [`${worse} is ahead of ${better}`];
      return low !== null && low > 0 ? [] : [`${better} and ${worse} cannot be told apart`];
    }),
  );
  console.log(`  order by ndcg@3 against ${published.join(" > ")}: ${faults.join("; ") || "the same"}`);
}

const fixed = (value: number | null): string => value?.toFixed(3) ?? "-";
