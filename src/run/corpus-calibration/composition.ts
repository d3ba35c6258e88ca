import { contentWords, wordsOf } from "../../corpora/generator/words.ts";
import { topShare, unbiasedHerfindahl } from "../../metrics/concentration.ts";
import type { Quantity } from "./targets.ts";
import { siteOf, type World } from "./world.ts";

/** A site with this many topics is a generalist. */
const generalistTopics = 30;

/** What can be counted in a world without searching in it. */
export function composition(world: World): Partial<Record<Quantity, number>> {
  return { ...goldOf(world), ...topicsOf(world) };
}

function goldOf({ plan, searches }: World): Partial<Record<Quantity, number>> {
  const gold = new Map<string, number>();
  for (const { topic } of searches) {
    for (const id of Object.keys(topic.relevant)) gold.set(siteOf(id), (gold.get(siteOf(id)) ?? 0) + 1);
  }
  const counts = [...gold.values()];
  const labels = counts.reduce((sum, count) => sum + count, 0);
  const top = (k: number): number => topShare(counts, k) ?? 0;
  const generalists = plan.sites.filter(({ site }) => site.topics.length >= generalistTopics);
  return {
    "gold top 1": top(1),
    "gold top 5": top(5),
    "gold top 10": top(10),
    "gold effective sites": 1 / (unbiasedHerfindahl(counts) ?? 1),
    "gold of generalists": generalists.reduce((sum, { site }) => sum + (gold.get(site.id) ?? 0), 0) / labels,
    "labelled share": labels / searches.reduce((sum, { relevant }) => sum + relevant.length, 0),
  };
}

function topicsOf(world: World): Partial<Record<Quantity, number>> {
  const { plan, pages, searches, recommendations, questions } = world;
  const perField = new Map<string, number>();
  for (const { entity } of pages) perField.set(entity.kind.field, (perField.get(entity.kind.field) ?? 0) + 1);
  const share = <T>(list: readonly T[], holds: (item: T) => boolean): number => list.filter(holds).length / list.length;
  const answered = questions.filter(({ source }) => source === "page" || source === "sites");
  return {
    "relevant pages a topic": mean(searches.map(({ relevant }) => relevant.length)),
    "absent words": mean(searches.map(({ topic, gold }) => absentWords(topic.query, gold.document))),
    "queries that name a site": share(searches, ({ topic, gold }) =>
      topic.query.includes(gold.site.site.name.toLowerCase()),
    ),
    "named topics": mean(plan.sites.map(({ site }) => share(site.topics, (topic) => site.description.includes(topic)))),
    "wrong copies": share(
      pages.flatMap(({ page }) => page.stated),
      ({ correct }) => !correct,
    ),
    "next page on the same site": share(recommendations, ({ sameSite }) => sameSite),
    "substitutes of a next page": mean(recommendations.map(({ field }) => perField.get(field)! - 1)),
    "questions without an answer": share(questions, ({ source }) => source === "nowhere" || source === "common"),
    "answered questions of 2 sites": share(answered, ({ source }) => source === "sites"),
  };
}

/** The share of a query's content words that a page does not have. */
function absentWords(query: string, { title, text }: { title: string; text: string }): number {
  const words = new Set(wordsOf(`${title} ${text}`));
  const content = contentWords(query);
  return content.filter((word) => !words.has(word)).length / content.length;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
