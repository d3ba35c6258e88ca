import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainLine } from "../../src/agents/grammar.ts";
import { mix32 } from "../../src/kernel/random.ts";
import { type ListedSite, Menu, siteOf } from "../../src/models/surrogate/menu.ts";
import { questionOf } from "../../src/models/surrogate/question.ts";
import { chooseSites } from "../../src/models/surrogate/site-choice.ts";
import { stem } from "../../src/models/surrogate/stem.ts";

const words = ["soup", "garden", "rail", "health", "film", "market", "museum", "bird"];
const sites = words.map((word, index) => {
  const description = `${word} and ${words[(index + 3) % words.length]}`;
  return siteOf({ site: `${word}.example`, name: word, description }) as ListedSite;
});
const menu = new Menu(sites);
const never = (): boolean => false;
const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const oddsOf = (sites: readonly ListedSite[]) => Float64Array.from(sites, ({ key }) => 0.1 + (key % 97) / 10);

describe("the choice of sites", () => {
  it("keeps its order when a site is taken off the list or was asked before", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 5 }), (seed, removed, count) => {
        const gone = (sites[removed] as ListedSite).id;
        const rest = sites.filter(({ id }) => id !== gone);
        const all = chooseSites(menu, oddsOf(sites), seed, count + 1, never);
        const expected = all.filter((id) => id !== gone).slice(0, count);
        expect(chooseSites(new Menu(rest), oddsOf(rest), seed, count, never)).toEqual(expected);
        expect(chooseSites(menu, oddsOf(sites), seed, count, (id) => id === gone)).toEqual(expected);
      }),
    );
  });

  it("is a logit choice: the first site is drawn in proportion to its odds", () => {
    const odds = oddsOf(sites);
    const total = odds.reduce((sum, each) => sum + each, 0);
    const draws = 40_000;
    const counts = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      const first = chooseSites(menu, odds, mix32(99, i), 2, never)[0] as string;
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    sites.forEach(({ id }, index) => {
      const expected = (odds[index] as number) / total;
      const deviation = Math.sqrt((expected * (1 - expected)) / draws);
      expect(Math.abs((counts.get(id) ?? 0) / draws - expected)).toBeLessThan(4.5 * deviation + 1e-4);
    });
  });

  it("gives none when none is wanted and all when there are too few", () => {
    expect(chooseSites(menu, oddsOf(sites), 1, 0, never)).toEqual([]);
    expect(chooseSites(menu, oddsOf(sites), 1, 99, never).toSorted()).toEqual(sites.map(({ id }) => id).toSorted());
  });
});

describe("search texts", () => {
  it("are distinct plain lines, the question itself first", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const texts = questionOf(plainLine(text)).searchTexts;
        expect(new Set(texts).size).toBe(texts.length);
        for (const each of texts) expect(each).toBe(plainLine(each));
        expect(texts).not.toContain("");
        if (plainLine(text) !== "") expect(texts[0]).toBe(plainLine(text));
      }),
    );
  });

  it("are few, whoever reformulates what somebody else reformulated", () => {
    const all = new Set<string>();
    for (const text of questionOf("When should I prune an old Bramley apple tree in winter?").searchTexts.slice(0, 5)) {
      for (const again of questionOf(text).searchTexts) all.add(again);
    }
    expect(all.size).toBeLessThanOrEqual(30);
  });
});

describe("stems", () => {
  it.each([
    ["pruning", "prune"],
    ["recipes", "recipe"],
    ["berries", "berry"],
    ["stopped", "stop"],
    ["boxes", "box"],
    ["quickly", "quick"],
  ])("%s and %s have one", (a, b) => {
    expect(stem(a)).toBe(stem(b));
  });

  it("keep words apart that only look alike", () => {
    expect(stem("glass")).not.toBe(stem("glad"));
    expect(stem("bus")).not.toBe(stem("bu"));
    expect(stem("news")).not.toBe(stem("newer"));
  });
});
