import { Command, Option } from "commander";
import { type IndexKind, indexKinds } from "../../retrieval/document-index.ts";
import { openRetrieval } from "../../retrieval/retrieval.ts";
import { shipSearches, shipVectors } from "../../retrieval/ship-vectors.ts";
import { resolveCorpus } from "../../scenario/corpus.ts";
import { TapeReader } from "../../trace/tape-reader.ts";
import { cacheDirectory, collect } from "../options.ts";
import { progressLine } from "../progress-line.ts";

interface IndexOptions {
  readonly index: IndexKind;
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

export function indexCommand(): Command {
  return new Command("index")
    .description("builds a corpus' store, vectors and indexes ahead of the first run")
    .argument("<corpus>", "a name under corpora/, or a path")
    .addOption(new Option("--index <kind>", "the kind of index").choices(indexKinds).default("dense"))
    .option("--embedder <name>", "sentence, hashing or transformers/<model or directory>", "sentence")
    .option("--ship", "put the vectors into the corpus too: whoever opens it then embeds none of its texts")
    .option(
      "--searches-of <run>",
      "put the vectors of all texts that a run searched for into the corpus too (repeatable)",
      collect,
      [],
    )
    .addHelpText("after", "\nExample:\n  awesim corpus index medquad")
    .action(async (corpus: string, { index, embedder, ship, searchesOf }: IndexOptions) => {
      const directory = resolveCorpus(corpus, null);
      const { progress, end } = progressLine(process.stderr);
      const options = { cacheDirectory: cacheDirectory(), embedder, progress };
      try {
        if (ship) await shipVectors(directory, options);
        if (searchesOf.length > 0) await shipSearches(directory, options, searchedIn(searchesOf));
        const retrieval = await openRetrieval(directory, { ...options, indexes: [index] });
        const how = index === "bm25" ? index : `${index}, ${embedder}`;
        process.stdout.write(`${corpus}: ${retrieval.documentCount()} pages indexed (${how})\n`);
        retrieval.close();
      } finally {
        end();
      }
    });
}
