import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFindings, readRanking, readSiteSearch } from "../../src/agents/payloads.ts";
import type { Hit } from "../../src/agents/ports.ts";

const listed = new Set(["a.example", "b.example", "c.example"]);
const isListed = (site: string): boolean => listed.has(site);
const hit = (id: string): Hit => ({ id, site: "a.example", textSha256: "", tokens: 1 });
const retrieved = new Map(["d1", "d2", "d3", "d4"].map((id) => [id, hit(id)]));

function sites(payload: string, limit = 10) {
  return readSiteSearch(payload, isListed, limit);
}

describe("A search that names sites", () => {
  it("asks each known site once, in the order of first mention, and tells the unknown ones apart", () => {
    const payload = { query: " moon ", websites: ["b.example", "x.example", "a.example", "b.example", " a.example "] };
    expect(sites(JSON.stringify(payload))).toEqual({
      query: "moon",
      sites: ["b.example", "a.example"],
      tooMany: [],
      unknown: ["x.example"],
    });
  });

  it("asks no more sites than are allowed", () => {
    const search = sites('{"query": "q", "websites": ["c.example", "b.example", "a.example"]}', 2);
    expect(search?.sites).toEqual(["c.example", "b.example"]);
    expect(search?.tooMany).toEqual(["a.example"]);
  });

  it.each([
    ["a bare JSON string", '"moon"'],
    ["text", "moon"],
    ["an empty list", '{"query": "q", "websites": []}'],
    ["a string for a list, which is no list of letters", '{"query": "q", "websites": "a.example"}'],
    ["unknown sites only", '{"query": "q", "websites": ["x.example"]}'],
    ["all sites by a star", '{"query": "q", "websites": ["*"]}'],
    ["null for a site", '{"query": "q", "websites": [null, 1, {}]}'],
    ["no list", '{"query": "q"}'],
    ["no query", '{"websites": ["a.example"]}'],
    ["an empty query", '{"query": " ", "websites": ["a.example"]}'],
    ["a query that is no text", '{"query": ["q"], "websites": ["a.example"]}'],
    ["a list", '["q", ["a.example"]]'],
    ["null", "null"],
  ])("is none when it is %s", (_, payload) => {
    expect(sites(payload)).toBeNull();
  });

  it("never names a site beyond the list, whatever is written", () => {
    const name = fc.oneof(fc.constantFrom(...listed, "__proto__", "constructor", ""), fc.jsonValue());
    fc.assert(
      fc.property(fc.jsonValue(), fc.oneof(fc.array(name), fc.jsonValue()), (query, websites) => {
        const search = sites(JSON.stringify({ query, websites }));
        if (search === null) return;
        expect(search.sites.length).toBeGreaterThan(0);
        expect(new Set(search.sites).size).toBe(search.sites.length);
        expect(search.sites.every(isListed)).toBe(true);
        expect(search.unknown.some(isListed)).toBe(false);
        expect(search.unknown).not.toContain("");
      }),
    );
  });
});

describe("A content agent's findings", () => {
  const read = (payload: unknown) => readFindings(JSON.stringify(payload), retrieved, 3);

  it("hold pages it retrieved, each once, in its order, no more than allowed", () => {
    const findings = read({ summary: " s ", documents: ["d4", "x", "d1", "d4", 7, "d3", "d2"] });
    expect(findings?.summary).toBe("s");
    expect(findings?.documents.map(({ id }) => id)).toEqual(["d4", "d1", "d3"]);
  });

  it.each([
    [[]],
    ["text"],
    [null],
    [{}],
    [{ summary: "s" }],
    [{ summary: 1, documents: [] }],
    [{ summary: "s", documents: "d1" }],
  ])("%j are none", (payload) => {
    expect(read(payload)).toBeNull();
  });
});

describe("A ranking", () => {
  it("holds retrieved pages only, each once: a repeated id never scores twice", () => {
    const ranking = readRanking('["d2", "d2", "zzz", null, "d1", "d2"]', retrieved);
    expect(ranking?.map(({ id }) => id)).toEqual(["d2", "d1"]);
  });

  it("may be empty, and is no object and no text", () => {
    expect(readRanking("[]", retrieved)).toEqual([]);
    for (const payload of ['{"d1": 1}', '"d1"', "d1", "", "null"]) expect(readRanking(payload, retrieved)).toBeNull();
  });
});
