import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { corpusHashes, tasksOf } from "../corpora/files.ts";
import { readDocuments, readHead, readSites, readTopics } from "../corpora/read.ts";
import { InputError } from "../errors.ts";
import { openRetrieval } from "../retrieval/retrieval.ts";
import { shipSearches, shipVectors } from "../retrieval/ship-vectors.ts";
import { resolveCorpus } from "../scenario/corpus.ts";
import { clean } from "../terminal/clean.ts";
import { type Column, table } from "../terminal/table.ts";
import { TapeReader } from "../trace/tape-reader.ts";
import { cacheDirectory, collect } from "./options.ts";
import { progressLine } from "./progress-line.ts";

export function corpusCommand(): Command {
  return new Command("corpus")
    .description("generates, imports, indexes and describes corpora")
    .addCommand(generateCommand())
    .addCommand(importCommand())
    .addCommand(indexCommand())
    .addCommand(infoCommand());
}

function generateCommand(): Command {
  return new Command("generate")
    .description("generates a corpus of fictional websites; the defaults are those of corpora/atlas")
    .option("--sites <n>", "how many websites", wholeNumber("--sites"), 100)
    .option("--documents <n>", "how many pages in all", wholeNumber("--documents"), 9000)
    .option("--seed <n>", "another seed, another world", wholeNumber("--seed"), 1)
    .requiredOption("--out <dir>", "the corpus' directory, such as corpora/mine")
    .option("--json", "print what was made as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  awesim corpus generate --sites 40 --documents 4000 --seed 3 --out corpora/small",
    )
    .action(async (options: { sites: number; documents: number; seed: number; out: string; json?: true }) => {
      const { sites, documents, seed, out } = options;
      const { generateCorpus } = await import("../corpora/generator/generate.ts");
      const shown = progressLine(process.stderr);
      const made = generateCorpus({ sites, documents, seed }, out, (done) =>
        shown.progress(done, documents, "pages written"),
      );
      shown.end();
      const topics = Object.entries(made.topics).map(([task, count]) => `${count} topics of ${task}`);
      print(
        options.json,
        { out, ...made },
        `${out}: ${made.sites} sites, ${made.documents} pages, ${topics.join(", ")}`,
      );
    });
}

function importCommand(): Command {
  return new Command("import").description("makes a corpus of a published data set").addCommand(
    new Command("medquad")
      .description("MedQuAD: nine health websites with the judged questions of TREC 2017 LiveQA-Med")
      .argument("<source>", "the folder with the .tar.gz of XML files, the judgements and the questions")
      .option("--out <dir>", "the corpus' directory", "corpora/medquad")
      .option("--json", "print what was found as JSON")
      .addHelpText("after", "\nExample:\n  awesim corpus import medquad ~/data/medquad")
      .action(async (source: string, { out, json }: { out: string; json?: true }) => {
        const { importMedquad } = await import("../corpora/importers/medquad.ts");
        const report = await importMedquad(source, out);
        const { sites, pages, judgedTopics, knownItemTopics, pagesWithoutText, unresolvedJudgements } = report;
        for (const { record, reason } of report.badRecords) process.stderr.write(`left out ${record}: ${reason}\n`);
        print(
          json,
          { out, ...report },
          [
            `${out}: ${sites} sites, ${pages} pages (${pagesWithoutText} without text),`,
            `${judgedTopics} judged and ${knownItemTopics} known-item questions;`,
            `${unresolvedJudgements} judgements name answers that the set does not hold,`,
            `${report.badRecords.length} records could not be used`,
          ].join(" "),
        );
      }),
  );
}

interface IndexOptions {
  readonly embedder: string;
  readonly ship?: true;
  readonly searchesOf: readonly string[];
}

/** The texts that the agents of some runs searched for, in the order of the first search. */
function searchedIn(runs: readonly string[]): Set<string> {
  const texts = new Set<string>();
  for (const run of runs) {
    const tape = new TapeReader(run);
    for (const { port, parts } of tape.lines()) if (port === "index") texts.add(String(parts["query"]));
    tape.close();
  }
  return texts;
}

function indexCommand(): Command {
  return new Command("index")
    .description("builds a corpus' store, vectors and indexes ahead of the first run")
    .argument("<corpus>", "a name under corpora/, or a path")
    .option("--embedder <name>", "sentence, hashing or transformers/<model or directory>", "sentence")
    .option("--ship", "put the vectors into the corpus too: whoever opens it then embeds none of its texts")
    .option(
      "--searches-of <run>",
      "put the vectors of all texts that a run searched for into the corpus too (repeatable)",
      collect,
      [],
    )
    .addHelpText("after", "\nExample:\n  awesim corpus index medquad")
    .action(async (corpus: string, { embedder, ship, searchesOf }: IndexOptions) => {
      const directory = resolveCorpus(corpus, null);
      const { progress, end } = progressLine(process.stderr);
      const options = { cacheDirectory: cacheDirectory(), embedder, progress };
      try {
        if (ship) await shipVectors(directory, options);
        if (searchesOf.length > 0) await shipSearches(directory, options, searchedIn(searchesOf));
        const retrieval = await openRetrieval(directory, options);
        process.stdout.write(`${corpus}: ${retrieval.documentCount()} pages indexed with ${embedder}\n`);
        retrieval.close();
      } finally {
        end();
      }
    });
}

function infoCommand(): Command {
  return new Command("info")
    .description("says what a corpus holds")
    .argument("<corpus>", "a name under corpora/, or a path")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  awesim corpus info atlas")
    .action(async (corpus: string, { json }: { json?: true }) => {
      const directory = resolveCorpus(corpus, null);
      const head = readHead(directory);
      const pages = new Map<string, number>();
      for await (const { document } of readDocuments(directory)) {
        pages.set(document.site, (pages.get(document.site) ?? 0) + 1);
      }
      const sites = (await readSites(directory))
        .map(({ id, name, priors }) => ({ id, name, pages: pages.get(id) ?? 0, ...priors }))
        .sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
      const total = sites.reduce((sum, site) => sum + site.pages, 0);
      const { corpusSha256 } = await corpusHashes(directory);
      const topics: Record<string, number> = {};
      for (const task of tasksOf(directory)) {
        topics[task] = 0;
        for await (const _ of readTopics(directory, task)) topics[task]++;
      }
      const facts = { directory, ...head, sha256: corpusSha256, pages: total, topics };
      const text = [
        `${clean(head.name)} ${clean(head.version)}: ${sites.length} sites, ${total} pages`,
        ...(head.description === undefined ? [] : [clean(head.description)]),
        ...Object.entries(topics).map(([task, count]) => `${count} topics of ${task}`),
        `shipped vectors: ${existsSync(join(directory, "vectors")) ? "yes" : "no"}`,
        `sha256 ${corpusSha256}`,
        "",
        table(
          [
            { title: "largest sites" },
            { title: "name" },
            { title: "pages" },
            shareColumn("authority"),
            shareColumn("popularity"),
          ],
          sites
            .slice(0, 10)
            .map(({ id, name, pages, authority, popularity }) => [id, name, pages, authority, popularity]),
        ),
      ];
      print(json, { ...facts, sites }, text.join("\n"));
    });
}

function shareColumn(title: string): Column {
  return { title, format: (value) => value.toFixed(3) };
}

function print(json: true | undefined, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw new InputError(`expected a whole number, got ${JSON.stringify(text)}`, { field: option });
  };
}
