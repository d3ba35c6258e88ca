import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SiteSelector } from "../../src/retrieval/site-selection.ts";

interface Page {
  readonly site: string;
  readonly vector: readonly number[];
}

/** A selector over pages in the plane, and what it looks at. */
function selectorOf(pages: readonly Page[]) {
  const rows = pages.map(({ site }, row) => ({
    id: `p${String(row).padStart(5, "0")}`,
    site,
    textSha256: "",
    tokens: 1,
  }));
  const vectors = pages.map(({ vector }) => Int16Array.from(vector));
  const looked = new Set<number>();
  const selector = new SiteSelector(rows, {
    vector(row) {
      looked.add(row);
      return vectors[row] as Int16Array;
    },
    products: (query, asked) => Array.from(asked, (row) => dot(vectors[row] as Int16Array, query)),
  });
  return { selector, looked };
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, i) => sum + x * (b[i] as number), 0);
const query = Int16Array.from([10, 0]);
const times = (n: number, page: Page): Page[] => Array.from({ length: n }, () => page);

describe("Sites by their vectors", () => {
  it("are ranked by the inner product with the mean of their pages, whatever their number, ties by id", () => {
    const { selector } = selectorOf([
      ...times(9, { site: "many.example", vector: [2, 5] }),
      { site: "one.example", vector: [8, 0] },
      { site: "one.example", vector: [-2, 0] }, // mean 3
      { site: "b.example", vector: [1, 0] },
      { site: "a.example", vector: [1, 9] },
    ]);
    expect(selector.byVectors(query, 9)).toEqual(["one.example", "many.example", "a.example", "b.example"]);
    expect(selector.byVectors(query, 1)).toEqual(["one.example"]);
  });

  it("look at 100 pages of a site at most, the same ones each time", () => {
    const pages = [
      ...times(250, { site: "a.example", vector: [1, 0] }),
      ...times(30, { site: "b.example", vector: [1, 0] }),
    ];
    const [one, other] = [selectorOf(pages).looked, selectorOf(pages).looked];
    expect([...one].filter((row) => row < 250)).toHaveLength(100);
    expect([...one].filter((row) => row >= 250)).toHaveLength(30);
    expect([...one]).toEqual([...other]);
    const draws = [...one].filter((row) => row < 250).sort((a, b) => a - b);
    expect(draws[50]).toBeGreaterThan(90); // spread over the site, not its first pages
    expect(draws[50]).toBeLessThan(160);
  });

  it("are what the definition says", () => {
    const vector = fc.tuple(fc.integer({ min: -2048, max: 2048 }), fc.integer({ min: -2048, max: 2048 }));
    const page = fc.record({ site: fc.constantFrom("a.example", "b.example", "c.example"), vector });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 40 }), vector, (pages, asked) => {
        const sites = [...new Set(pages.map(({ site }) => site))];
        const meanOf = (site: string): number => {
          const own = pages.filter((each) => each.site === site);
          return own.reduce((sum, each) => sum + dot(each.vector, asked), 0) / own.length;
        };
        const expected = sites.toSorted((a, b) => meanOf(b) - meanOf(a) || (a < b ? -1 : 1));
        expect(selectorOf(pages).selector.byVectors(Int16Array.from(asked), 3)).toEqual(expected);
      }),
    );
  });
});

describe("Sites by ReDDE", () => {
  it("are worth the pages that the best sampled ones stand for", () => {
    // 10,100 pages, of which 0.003 are 30.3. One page of big.example's sample stands for 100.
    const pages = [
      ...times(60, { site: "small.example", vector: [8, 0] }), // stand for themselves: 31 count
      ...times(10_000, { site: "big.example", vector: [1, 0] }),
      ...times(40, { site: "far.example", vector: [-1, 0] }),
    ];
    expect(selectorOf(pages).selector.byRedde(query, 3)).toEqual(["small.example", "big.example", "far.example"]);
    // A large site whose pages come first outweighs them: its first sampled page alone stands for 100.
    const turned = pages.map((page) => (page.site === "big.example" ? { ...page, vector: [9, 0] } : page));
    expect(selectorOf(turned).selector.byRedde(query, 3)).toEqual(["big.example", "small.example", "far.example"]);
  });

  it("prefer the site with more pages among the best, where means prefer the other", () => {
    const pages = [
      ...times(3, { site: "mixed.example", vector: [9, 0] }),
      ...times(9, { site: "mixed.example", vector: [-9, 0] }),
      ...times(988, { site: "even.example", vector: [2, 0] }),
    ];
    const { selector } = selectorOf(pages);
    expect(selector.byRedde(query, 1)).toEqual(["mixed.example"]);
    expect(selector.byVectors(query, 1)).toEqual(["even.example"]);
  });

  it("name every site that has a page once, and no more than asked", () => {
    const page = fc.record({
      site: fc.constantFrom("a.example", "b.example", "c.example", "d.example"),
      vector: fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })),
    });
    fc.assert(
      fc.property(fc.array(page), fc.nat(5), (pages, k) => {
        const sites = new Set<string>(pages.map(({ site }) => site));
        const ranked = selectorOf(pages).selector.byRedde(query, k);
        expect(ranked).toHaveLength(Math.min(k, sites.size));
        expect(new Set(ranked).size).toBe(ranked.length);
        expect(ranked.every((site) => sites.has(site))).toBe(true);
      }),
    );
  });
});
