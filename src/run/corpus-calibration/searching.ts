import { binaryGrades, ndcg, recall } from "../../metrics/ranking.ts";
import type { Progress } from "../../retrieval/progress.ts";
import type { Retrieval } from "../../retrieval/retrieval.ts";
import { mean } from "./composition.ts";
import { siteTopics, topicIndex } from "../../corpora/generator/topics.ts";
import { DescriptionReader } from "./description-reader.ts";
import type { Quantity } from "./targets.ts";
import { siteOf, type World } from "./world.ts";

/** How many sites are asked for a query, and for how many pages each. */
const sitesAsked = 5;
const pagesAsked = 3;

/** How many titles of a history make the query for the page that comes next. */
const titlesAsked = 5;

/** What comes out when a world is searched. The retrieval has the three indexes. */
export async function searching(
  world: World,
  retrieval: Retrieval,
  progress: Progress,
): Promise<Partial<Record<Quantity, number>>> {
  const sums = new Map<string, number[]>();
  const add = (name: string, value: number): void => {
    const list = sums.get(name);
    if (list === undefined) sums.set(name, [value]);
    else list.push(value);
  };
  const sites = new SiteMeasures(world);
  let done = 0;
  for (const search of world.searches) {
    const { query, relevant } = search.topic;
    const grades = binaryGrades(Object.keys(relevant));
    for (const kind of ["dense", "bm25", "hybrid"] as const) {
      const found = (await retrieval.search(query, null, 5, kind)).map(({ id }) => id);
      add(`${kind} hit@1`, grades.has(found[0] ?? "") ? 1 : 0);
      for (const k of [3, 5]) {
        add(`${kind} ndcg@${k}`, ndcg(found, grades, k));
        add(`${kind} recall@${k}`, recall(found, grades, k));
      }
    }
    add("tool-e ndcg@3", ndcg(await foundBySiteVectors(query, retrieval), grades, 3));
    for (const [name, value] of sites.measure(search)) add(name, value);
    progress(++done, world.searches.length, "searching for topics");
  }
  for (const { topic } of world.recommendations) {
    add(
      "next page recall@5",
      recall(await guessNext(topic.history, retrieval), binaryGrades(Object.keys(topic.relevant)), 5),
    );
  }
  const reached = new Map([...sums].map(([name, values]) => [name, mean(values)]));
  const dense = reached.get("dense ndcg@3")!;
  for (const kind of ["bm25", "hybrid", "tool-e"])
    reached.set(`${kind} / dense`, reached.get(`${kind} ndcg@3`)! / dense);
  return Object.fromEntries(reached) as Partial<Record<Quantity, number>>;
}

/** The pages that the sites with the nearest vectors hold, by their own match: tool-e, with a perfect merge. */
async function foundBySiteVectors(query: string, retrieval: Retrieval): Promise<string[]> {
  const vector = await retrieval.vector(query);
  const sites = await retrieval.selectSites(query, "vectors", sitesAsked);
  const lists = await Promise.all(sites.map((site) => retrieval.search(query, site, pagesAsked, "dense")));
  const scored = await Promise.all(
    lists.flat().map(async ({ id, textSha256 }) => {
      const page = await retrieval.vector(retrieval.text(textSha256));
      return { id, score: page.reduce((sum, value, at) => sum + value * vector[at]!, 0) };
    }),
  );
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return scored.map(({ id }) => id);
}

/** The pages nearest to the last titles of a history that are not in it: as plain as a recommender can be. */
async function guessNext(
  history: readonly { title: string; doc?: string | undefined }[],
  retrieval: Retrieval,
): Promise<string[]> {
  const query = history
    .slice(-titlesAsked)
    .map(({ title }) => title)
    .join(". ");
  const seen = new Set(history.map(({ doc }) => doc));
  const found = await retrieval.search(query, null, 5 + history.length, "dense");
  return found.map(({ id }) => id).filter((id) => !seen.has(id));
}

/** What one finds on the sites whose descriptions fit a query best. */
class SiteMeasures {
  /** By the first entity of a family, the sites with pages about its members. */
  private readonly sitesOfFamily = new Map<number, Set<string>>();

  private readonly reader: DescriptionReader;

  constructor(world: World) {
    this.reader = new DescriptionReader(world.plan);
    for (const { page, entity } of world.pages) {
      const sites = this.sitesOfFamily.get(entity.family) ?? new Set();
      this.sitesOfFamily.set(entity.family, sites.add(page.document.site));
    }
  }

  measure({ topic, entity }: World["searches"][number]): [name: string, value: number][] {
    const gold = new Set(Object.keys(topic.relevant).map(siteOf));
    const { label } = siteTopics[topicIndex(entity.kindIndex, entity.typeIndex)]!;
    const asked = this.reader.bestSites(label, sitesAsked);
    const usable = this.sitesOfFamily.get(entity.family)!;
    return [
      ["gold site in 5 by description", asked.some((site) => gold.has(site)) ? 1 : 0],
      ...asked
        .filter((site) => !gold.has(site))
        .map((site): [string, number] => ["other site has something usable", usable.has(site) ? 1 : 0]),
    ];
  }
}
