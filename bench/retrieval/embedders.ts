/**
 * What the embedders and the index are worth on corpora: `npx tsx bench/retrieval/embedders.ts [--cache DIR]
 * CORPUS...`. Prints, for each corpus and embedder, how long opening took (by piece of work), the index's recall@10
 * against exact search and its speed, and the rankings' quality for each set of topics (the part of the id before the
 * first hyphen). With an empty cache the times are those of building.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { readHead } from "../../src/corpora/read.ts";
import { pairedDifference } from "../../src/metrics/intervals.ts";
import { judged, ndcg, recall } from "../../src/metrics/ranking.ts";
import { openRetrieval, type Retrieval } from "../../src/retrieval/retrieval.ts";
import { gradesOf, groupedById, readSearchTopics, type SearchTopic as Topic } from "./search-topics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: "string", default: ".awesim" } },
});

/** A measure's values by set of topics, in the order of the topics. */
type Scores = Map<string, number[]>;
/** Queries whose recall against exact search, and speed, are taken. */
const sampleSize = 500;

void main();

async function main(): Promise<void> {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}\n`);
  for (const corpus of positionals) {
    const topics = await readSearchTopics(corpus);
    const scores: Scores[] = [];
    let titled = new Map<string, number>();
    for (const embedder of ["sentence", "hashing"]) {
      console.log(`${readHead(corpus).name}, ${embedder}`);
      const retrieval = await timedOpening(corpus, embedder);
      const embedding = await timedEmbedding(retrieval, topics);
      console.log(`  embedding ${topics.length} queries: ${embedding}`);
      await printIndex(retrieval, topics);
      scores.push(await printQuality(retrieval, topics));
      titled = titledShares(retrieval, topics);
      retrieval.close();
      console.log();
    }
    const [sentence, hashing] = scores as [Scores, Scores];
    printComparison(sentence, hashing, titled);
    console.log();
  }
}

/** Processor time beside wall time: on a busy machine it says what the work costs. */
async function timedOpening(corpus: string, embedder: string): Promise<Retrieval> {
  const seconds = new Map<string, { wall: number; processor: number }>();
  const start = clock();
  let last = start;
  const progress = (done: number, total: number | null, label: string) => {
    const now = clock();
    const sum = seconds.get(label) ?? { wall: 0, processor: 0 };
    seconds.set(label, {
      wall: sum.wall + now.wall - last.wall,
      processor: sum.processor + now.processor - last.processor,
    });
    last = now;
    if (process.stderr.isTTY) process.stderr.write(`\r${label} ${done}${total === null ? "" : ` of ${total}`}   `);
  };
  const retrieval = await openRetrieval(corpus, { cacheDirectory: values.cache, embedder, progress });
  const parts = [...seconds].map(
    ([label, time]) => `${label} ${time.wall.toFixed(1)} s (processor ${time.processor.toFixed(1)} s)`,
  );
  const total = (clock().wall - start.wall).toFixed(1);
  console.log(`  ${retrieval.documentCount()} documents, opened in ${total} s: ${parts.join(", ") || "all cached"}`);
  return retrieval;
}

/** In seconds. */
function clock(): { wall: number; processor: number } {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now() / 1000, processor: (user + system) / 1e6 };
}

async function timedEmbedding(retrieval: Retrieval, topics: Topic[]): Promise<string> {
  const start = performance.now();
  for (const { query } of topics) await retrieval.vector(query);
  return `${rate(topics.length, performance.now() - start)}/s`;
}

/** More than 300 results are looked for exactly, so the first ten of them are the ten nearest. */
async function printIndex(retrieval: Retrieval, topics: Topic[]): Promise<void> {
  const stride = Math.max(1, Math.floor(topics.length / sampleSize));
  const queries = [...new Set(topics.filter((_, i) => i % stride === 0).map(({ query }) => query))].slice(
    0,
    sampleSize,
  );
  const sizes = retrieval.sites().map(({ id }) => ({ site: id, documents: retrieval.documentCount(id) }));
  const largest = sizes.sort((a, b) => b.documents - a.documents)[0];
  for (const site of [null, largest?.site ?? null]) {
    const found: string[][] = [];
    const start = performance.now();
    for (const query of queries) found.push((await retrieval.search(query, site, 10)).map(({ id }) => id));
    const fast = performance.now() - start;
    let hits = 0;
    let all = 0;
    const exactStart = performance.now();
    for (const [i, query] of queries.entries()) {
      const nearest = (await retrieval.search(query, site, 301)).slice(0, 10);
      all += nearest.length;
      hits += nearest.filter(({ id }) => found[i]?.includes(id)).length;
    }
    const exact = performance.now() - exactStart;
    console.log(
      `  ${site ?? "all sites"} (${retrieval.documentCount(site ?? undefined)}): recall@10 against exact ${(hits / all).toFixed(4)}, ` +
        `${rate(queries.length, fast)} queries/s, exact ${rate(queries.length, exact)}, n ${queries.length}`,
    );
  }
}

/** Prints the means of each set of topics; gives ndcg@10 by topic. */
async function printQuality(retrieval: Retrieval, topics: Topic[]): Promise<Scores> {
  const scores: Scores = new Map();
  console.log(
    `  ${["topics", "n", "ndcg@3", "ndcg@10", "recall@10", "judged@10"].map((name) => name.padEnd(10)).join("")}`,
  );
  for (const [set, members] of groupedById(topics)) {
    const rows: number[][] = [];
    for (const topic of members) {
      const grades = gradesOf(topic);
      const ranking = (await retrieval.search(topic.query, null, 10)).map(({ id }) => id);
      rows.push([
        ndcg(ranking, grades, 3),
        ndcg(ranking, grades, 10),
        recall(ranking, grades, 10),
        judged(ranking, grades, 10) ?? 0,
      ]);
    }
    const means = [0, 1, 2, 3].map((i) => mean(rows.map((row) => row[i] as number)).toFixed(3));
    console.log(`  ${[set, String(members.length), ...means].map((cell) => cell.padEnd(10)).join("")}`);
    scores.set(
      set,
      rows.map((row) => row[1] as number),
    );
  }
  return scores;
}

/** How far `sentence` is ahead of `hashing`, and how much of the answer's title a query gives away to word matching. */
function printComparison(sentence: Scores, hashing: Scores, titled: Map<string, number>): void {
  for (const [set, values] of sentence) {
    const { mean, low, high, n } = pairedDifference(values, hashing.get(set) as number[]);
    console.log(
      `  ${set}: ndcg@10 of sentence less that of hashing ${mean?.toFixed(3)} (95 % t interval ${low?.toFixed(3)} to ` +
        `${high?.toFixed(3)}, n ${n}); ${((titled.get(set) ?? 0) * 100).toFixed(0)} % of the queries hold the title of a relevant page`,
    );
  }
}

/** The share of a set's queries that hold the title of a relevant page word for word. */
function titledShares(retrieval: Retrieval, topics: Topic[]): Map<string, number> {
  const holdsTitle = ({ query, relevant }: Topic) =>
    Object.keys(relevant).some((id) => {
      const title = retrieval.document(id)?.title.toLowerCase();
      return title !== undefined && query.toLowerCase().includes(title);
    });
  return new Map(
    [...groupedById(topics)].map(([set, members]) => [set, members.filter(holdsTitle).length / members.length]),
  );
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const rate = (count: number, milliseconds: number): string => ((count / milliseconds) * 1000).toFixed(0);
