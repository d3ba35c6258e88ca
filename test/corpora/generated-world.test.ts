import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "../../src/corpora/generator/page.ts";
import { attributeOf, type Entity } from "../../src/corpora/generator/entities.ts";
import { type Fact, gradeOf, isSame, numberOf, truthOf } from "../../src/corpora/generator/tasks/facts.ts";
import { contentWords, wordsOf } from "../../src/corpora/generator/words.ts";
import { templateGuard } from "../../src/run/corpus-calibration/template-guard.ts";
import { collectWorld, siteOf, type World } from "../../src/run/corpus-calibration/world.ts";

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
    world = collectWorld({ seed });
  });

  it("has 100 sites, 9,000 pages and at least 1,500 web-search topics, all ids unique", () => {
    expect(new Set(world.plan.sites.map(({ site }) => site.id)).size).toBe(100);
    expect(new Set(world.pages.map(({ page }) => page.document.id)).size).toBe(9000);
    expect(new Set(world.pages.map(({ page }) => page.document.url)).size).toBe(9000);
    expect(world.searches.length).toBeGreaterThanOrEqual(1500);
    expect(new Set(world.searches.map(({ topic }) => topic.query)).size).toBe(world.searches.length);
    const hosts = world.plan.sites.map(({ site }) => site.id);
    expect(hosts).toEqual(expect.arrayContaining(["encyclopedia.example", "brightnews.example", "docs.example"]));
  });

  it("has relevant pages that state the true value, and no other page of the entity that does", () => {
    const pages = new Map(world.pages.map(({ page, entity }) => [page.document.id, { page, entity }]));
    const ofEntity = new Map<number, typeof world.pages>();
    for (const item of world.pages) {
      ofEntity.set(item.entity.index, [...(ofEntity.get(item.entity.index) ?? []), item]);
    }
    for (const { topic, entity, ref, relevant } of world.searches) {
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
      world.searches.flatMap(({ topic }) => Object.keys(topic.relevant)),
      (id) => id.slice(0, id.lastIndexOf("-")),
    );
    const [top1, top5, top10] = topShares(gold.values());
    expect(Math.abs(top1 - 0.083)).toBeLessThan(0.025);
    expect(Math.abs(top5 - 0.32)).toBeLessThan(0.05);
    expect(Math.abs(top10 - 0.5)).toBeLessThan(0.06);
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
    expect(Math.abs(mean(world.searches.map(({ relevant }) => relevant.length)) - 2.5)).toBeLessThan(0.3);
    const absent = world.searches.map(({ topic, gold }) => {
      const words = new Set(wordsOf(`${gold.document.title} ${gold.document.text}`));
      const content = contentWords(topic.query);
      return content.filter((word) => !words.has(word)).length / content.length;
    });
    expect(Math.abs(mean(absent) - 0.4)).toBeLessThan(0.03);

    const lengths = world.pages.map(({ page }) => page.document.text.split(/\s+/).length);
    expect(lengths.filter((length) => length >= 60 && length <= 440).length / lengths.length).toBeGreaterThan(0.98);

    const named = world.plan.sites.map(
      ({ site }) => site.topics.filter((topic) => site.description.includes(topic)).length / site.topics.length,
    );
    expect(Math.abs(mean(named) - 0.7)).toBeLessThan(0.05);
  });

  it("has 300 topics of each other task, with ids and requests of their own", () => {
    for (const list of [world.recommendations, world.questions, world.research]) {
      expect(list.length).toBe(300);
      expect(new Set(list.map(({ topic }) => topic.id)).size).toBe(300);
    }
    expect(new Set(world.questions.map(({ topic }) => topic.question)).size).toBe(300);
    expect(new Set(world.research.map(({ topic }) => topic.question)).size).toBe(300);
  });

  it("has questions whose answers stand in all of their evidence, and in no other page", () => {
    const pagesOf = pagesByEntity(world);
    for (const { topic, source, facts } of world.questions) {
      const stating = facts.flatMap(({ entity, ref }) =>
        pagesOf.get(entity.index)!.filter((page) => gradeOf(page, ref) !== undefined),
      );
      expect([...topic.evidence].sort()).toEqual([...new Set(stating.map(({ document }) => document.id))].sort());
      for (const fact of facts) {
        for (const page of pagesOf.get(fact.entity.index)!) {
          if (gradeOf(page, fact.ref) !== undefined) expect(has(page, truthOf(fact))).toBe(true);
        }
      }
      if (source === "page") {
        expect(topic.answers).toEqual(truthOf(facts[0]!));
        expect(topic.evidence.length).toBeGreaterThan(0);
      }
    }
  });

  it("has questions that no page answers, rightly or wrongly, about half of them all", () => {
    const pagesOf = pagesByEntity(world);
    const nowhere = world.questions.filter(({ source }) => source === "nowhere");
    for (const { topic, facts } of nowhere) {
      const { entity, ref } = facts[0]!;
      expect(topic.answers).toEqual(truthOf(facts[0]!));
      for (const page of pagesOf.get(entity.index)!) {
        expect(page.stated.some((stated) => isSame(stated, ref))).toBe(false);
      }
    }
    const common = world.questions.filter(({ topic }) => topic.knownWithoutWeb === true);
    for (const { topic, source } of common) expect([source, topic.evidence]).toEqual(["common", []]);
    expect([nowhere.length, common.length]).toEqual([90, 60]);
  });

  it("has questions that need pages of two sites, .4 of those with an answer", () => {
    const pagesOf = pagesByEntity(world);
    const several = world.questions.filter(({ source }) => source === "sites");
    expect(several.length).toBe(60);
    for (const { topic, facts } of several) {
      const [first, second] = facts as [Fact, Fact];
      const sites = [first, second].map(({ entity, ref }) => {
        const stating = pagesOf.get(entity.index)!.filter((page) => gradeOf(page, ref) !== undefined);
        return new Set(stating.map(({ document }) => document.site));
      });
      expect([...sites[0]!].filter((site) => sites[1]!.has(site))).toEqual([]);
      if (first.entity === second.entity) expect(topic.answers).toEqual(truthOf(second));
      else {
        const winner = numberOf(first)! > numberOf(second)! ? first : second;
        expect(topic.answers).toEqual([winner.entity.name]);
      }
    }
  });

  it("has research questions whose key points stand in evidence of three sites or more", () => {
    const byId = new Map(world.pages.map(({ page }) => [page.document.id, page]));
    const ofEntity = new Map(world.pages.map(({ page, entity }) => [page.document.id, entity]));
    for (const { topic, facts } of world.research) {
      expect(new Set(topic.evidence.map(siteOf)).size).toBeGreaterThanOrEqual(3);
      expect(topic.keyPoints.length).toBe(facts.length);
      expect(facts.length).toBeGreaterThanOrEqual(5);
      for (const [at, { entity, ref }] of facts.entries()) {
        const stating = topic.evidence.filter(
          (id) => ofEntity.get(id)!.index === entity.index && gradeOf(byId.get(id)!, ref) !== undefined,
        );
        expect(stating.length).toBeGreaterThan(0);
        expect(truthOf({ entity, ref }).some((name) => topic.keyPoints[at]!.includes(name))).toBe(true);
      }
      const used = (id: string): boolean =>
        facts.some(({ entity, ref }) => {
          return entity.index === ofEntity.get(id)!.index && gradeOf(byId.get(id)!, ref) !== undefined;
        });
      expect(topic.evidence.every(used)).toBe(true);
    }
  });

  it("has histories on several sites, some of them unknown, and a next page among many like it", () => {
    const byId = new Map(world.pages.map(({ page, entity }) => [page.document.id, { page, entity }]));
    const perField = countBy(world.pages, ({ entity }) => entity.kind.field);
    let same = 0;
    for (const { topic, field, sameSite } of world.recommendations) {
      const [gold] = Object.keys(topic.relevant) as [string];
      const last = topic.history.at(-1)!;
      expect(byId.get(gold)!.entity.kind.field).toBe(field);
      expect(perField.get(field)!).toBeGreaterThan(300);
      expect(siteOf(last.doc!) === siteOf(gold)).toBe(sameSite);
      if (sameSite) same++;
      expect(topic.history.length).toBeGreaterThanOrEqual(7);
      expect(topic.history.length).toBeLessThanOrEqual(25);
      const known = topic.history.filter(({ doc }) => doc !== undefined);
      expect(known.every(({ doc, title }) => byId.get(doc!)!.page.document.title === title)).toBe(true);
      expect(known.some(({ doc }) => doc === gold)).toBe(false);
      const times = topic.history.map(({ atMs }) => atMs!);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    const visits = world.recommendations.flatMap(({ topic }) => topic.history);
    const unknown = visits.filter(({ doc }) => doc === undefined).length / visits.length;
    expect(unknown).toBeGreaterThan(0.2);
    expect(unknown).toBeLessThan(0.6);
    expect(Math.abs(same / 300 - 0.5)).toBeLessThan(0.12);
  });

  it("asks in words of its own: no question stands on a page about its subject", () => {
    const pagesOf = pagesByEntity(world);
    for (const { topic, facts } of [...world.questions, ...world.research]) {
      const texts = facts.flatMap(({ entity }) => pagesOf.get(entity.index)!.map(({ document }) => document.text));
      expect(texts.some((text) => text.includes(topic.question))).toBe(false);
    }
  });

  it("does not give its gold pages away by their function words", () => {
    const accuracy = templateGuard(
      world.pages.map(({ page }) => page.document),
      world.searches.map(({ gold }) => gold.document),
    );
    console.info(`gold pages told from others by words without content: ${accuracy.toFixed(3)} (chance .500)`);
    expect(accuracy).toBeLessThan(0.58);
  });
});

function pagesByEntity(world: World): Map<Entity["index"], Page[]> {
  const pages = new Map<number, Page[]>();
  for (const { page, entity } of world.pages) pages.set(entity.index, [...(pages.get(entity.index) ?? []), page]);
  return pages;
}

/** Whether the text of a page has one of the names of what is true. */
function has({ document }: Page, names: readonly string[]): boolean {
  const words = ` ${wordsOf(document.text).join(" ")} `;
  return names.some((name) => words.includes(` ${wordsOf(name).join(" ")} `));
}
