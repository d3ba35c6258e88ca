import { describe, expect, it } from "vitest";
import { searchOpenSites } from "../../src/agents/central-search.ts";
import { plainMenu } from "../../src/agents/menu.ts";
import type { Hit, IndexPort } from "../../src/agents/ports.ts";

const sites = ["a.example", "b.example", "c.example"];
/** Thirty pages, best first, of the three sites in turn. */
const pages: readonly Hit[] = Array.from({ length: 30 }, (_, n) => ({
  id: `d${n}`,
  site: sites[n % 3] as string,
  textSha256: "",
  tokens: 1,
}));
const menu = plainMenu(sites.map((id) => ({ id, name: id, description: "" })));

function indexOf(asked: number[]): IndexPort {
  return {
    search: (_query, site, k) => {
      expect(site).toBeNull();
      asked.push(k);
      return pages.slice(0, k);
    },
    selectSites: () => [],
  };
}

describe("A search of all sites", () => {
  it("is one search while all are listed", () => {
    const asked: number[] = [];
    expect(searchOpenSites(indexOf(asked), menu.lists, "q", 4)).toEqual(pages.slice(0, 4));
    expect(asked).toEqual([4]);
  });

  it("passes over sites that were removed, and still finds as many pages, best first", () => {
    const asked: number[] = [];
    const listed = menu.without(new Set(["a.example", "c.example"]));
    const found = searchOpenSites(indexOf(asked), listed.lists, "q", 4) as readonly Hit[];
    expect(found.map(({ id }) => id)).toEqual(["d1", "d4", "d7", "d10"]);
    expect(asked).toEqual([4, 8, 16]);
  });

  it("ends where there are no more pages", async () => {
    const asked: number[] = [];
    const listed = menu.without(new Set(sites));
    expect(searchOpenSites(indexOf(asked), listed.lists, "q", 10)).toEqual([]);
    expect(asked).toEqual([10, 20, 40]);
    const slow: IndexPort = { search: async () => pages.slice(0, 3), selectSites: () => [] };
    expect(await searchOpenSites(slow, listed.lists, "q", 10)).toEqual([]);
  });
});
