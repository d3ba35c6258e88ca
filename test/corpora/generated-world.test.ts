import { beforeAll, describe, expect, it } from "vitest";
import { templateGuard } from "../../bench/corpora/template-guard.ts";
import { generateWorld, gradeOf, type Item } from "../../src/corpora/generator/coverage.ts";
import { attributeOf } from "../../src/corpora/generator/entities.ts";
import { generatorOptions } from "../../src/corpora/generator/generate.ts";
import { planSites, type SitePlan } from "../../src/corpora/generator/sites.ts";
import { contentWords, wordsOf } from "../../src/corpora/generator/words.ts";
import { Streams } from "../../src/kernel/random.ts";

interface World {
  plan: SitePlan;
  pages: Extract<Item, { kind: "page" }>[];
  topics: Extract<Item, { kind: "topic" }>[];
}

function worldOf(seed: number): World {
  const { sites, documents, parameters } = generatorOptions({ seed });
  const streams = new Streams(seed, 0);
  const plan = planSites(sites, parameters, streams);
  const world: World = { plan, pages: [], topics: [] };
  for (const item of generateWorld(documents, plan, parameters, streams)) {
    if (item.kind === "page") world.pages.push(item);
    else world.topics.push(item);
  }
  return world;
}

/** Shares of the total held by the largest 1, 5 and 10. */
function topShares(counts: Iterable<number>): [number, number, number] {
  const sorted = [...counts].sort((a, b) => b - a);
  const total = sorted.reduce((sum, count) => sum + count, 0);
  const top = (k: number): number => sorted.slice(0, k).reduce((sum, count) => sum + count, 0) / total;
  return [top(1), top(5), top(10)];
}

function countBy<T>(items: Iterable<T>, key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

describe.each([1, 2, 3, 4, 5])("the world of seed %i", (seed) => {
  let world: World;
  beforeAll(() => {
    world = worldOf(seed);
  });

  it("has 100 sites, 9,000 pages and at least 1,500 web-search topics, all ids unique", () => {
    expect(new Set(world.plan.sites.map(({ site }) => site.id)).size).toBe(100);
    expect(new Set(world.pages.map(({ page }) => page.document.id)).size).toBe(9000);
    expect(new Set(world.pages.map(({ page }) => page.document.url)).size).toBe(9000);
    expect(world.topics.length).toBeGreaterThanOrEqual(1500);
    expect(new Set(world.topics.map(({ topic }) => topic.query)).size).toBe(world.topics.length);
    const hosts = world.plan.sites.map(({ site }) => site.id);
    expect(hosts).toEqual(expect.arrayContaining(["encyclopedia.example", "brightnews.example", "docs.example"]));
  });

  it("has relevant pages that state the true value, and no other page of the entity that does", () => {
    const pages = new Map(world.pages.map(({ page, entity }) => [page.document.id, { page, entity }]));
    const ofEntity = new Map<number, typeof world.pages>();
    for (const item of world.pages) {
      ofEntity.set(item.entity.index, [...(ofEntity.get(item.entity.index) ?? []), item]);
    }
    for (const { topic, entity, ref, relevant } of world.topics) {
      const names = attributeOf(entity.kind, ref).values[entity.truth[ref.aspect]![ref.attribute]!]!;
      for (const [id, grade] of Object.entries(topic.relevant)) {
        const found = pages.get(id)!;
        expect(found.entity.index).toBe(entity.index);
        const words = ` ${wordsOf(found.page.document.text).join(" ")} `;
        expect(names.some((name) => words.includes(` ${wordsOf(name).join(" ")} `))).toBe(true);
        expect([1, 2, 3]).toContain(grade);
        expect(gradeOf(found.page, ref)).toBe(grade);
      }
      const correct = ofEntity.get(entity.index)!.filter(({ page }) => gradeOf(page, ref) !== undefined);
      expect(relevant.map(({ document }) => document.id)).toEqual(correct.map(({ page }) => page.document.id));
    }
  });

  it("has heavy-tailed sites, and gold pages on them as the published benchmark has", () => {
    const sizes = [...countBy(world.pages, ({ page }) => page.document.site).values()].sort((a, b) => b - a);
    expect(sizes.length).toBe(100);
    expect(sizes[0]! / sizes[49]!).toBeGreaterThan(4);
    const gold = countBy(
      world.topics.flatMap(({ topic }) => Object.keys(topic.relevant)),
      (id) => id.slice(0, id.lastIndexOf("-")),
    );
    const [top1, top5, top10] = topShares(gold.values());
    expect(Math.abs(top1 - 0.083)).toBeLessThan(0.025);
    expect(Math.abs(top5 - 0.32)).toBeLessThan(0.04);
    expect(Math.abs(top10 - 0.5)).toBeLessThan(0.05);
    const generalists = world.plan.sites.filter(({ site }) => site.topics.length >= 30);
    expect(generalists.length).toBe(20);
    const held = generalists.reduce((sum, { site }) => sum + (gold.get(site.id.slice(0, -".example".length)) ?? 0), 0);
    const all = [...gold.values()].reduce((sum, count) => sum + count, 0);
    expect(Math.abs(held / all - 0.4)).toBeLessThan(0.07);
  });

  it("keeps to the shares it is given", () => {
    const stated = world.pages.flatMap(({ page }) => page.stated);
    expect(Math.abs(stated.filter(({ correct }) => !correct).length / stated.length - 0.1)).toBeLessThan(0.02);

    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean(world.topics.map(({ relevant }) => relevant.length)) - 2.5)).toBeLessThan(0.3);
    const absent = world.topics.map(({ topic, gold }) => {
      const words = new Set(wordsOf(`${gold.document.title} ${gold.document.text}`));
      const content = contentWords(topic.query);
      return content.filter((word) => !words.has(word)).length / content.length;
    });
    expect(Math.abs(mean(absent) - 0.4)).toBeLessThan(0.03);

    const lengths = world.pages.map(({ page }) => page.document.text.split(/\s+/).length);
    expect(lengths.filter((length) => length >= 60 && length <= 360).length / lengths.length).toBeGreaterThan(0.98);

    const named = world.plan.sites.map(
      ({ site }) => site.topics.filter((topic) => site.description.includes(topic)).length / site.topics.length,
    );
    expect(Math.abs(mean(named) - 0.7)).toBeLessThan(0.05);
  });

  it("does not give its gold pages away by their function words", () => {
    const accuracy = templateGuard(
      world.pages.map(({ page }) => page.document),
      world.topics.map(({ gold }) => gold.document),
    );
    console.info(`gold pages told from others by words without content: ${accuracy.toFixed(3)} (chance .500)`);
    expect(accuracy).toBeLessThan(0.58);
  });
});
