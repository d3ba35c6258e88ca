import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { siteIdSchema } from "../../../src/corpora/format.ts";
import { SitePriors } from "../../../src/corpora/importers/site-priors.ts";
import { hostLabel, hostOf, parseSiteRule, siteByRule } from "../../../src/corpora/importers/site-rule.ts";
import { SiteWords } from "../../../src/corpora/importers/site-words.ts";
import { sourceFolder } from "../../support/source-folder.ts";

const document = { id: "d", url: "https://www.a.example/x" };

describe("a document's site", () => {
  test("is its source, else its host, else that of the set; or the only one", () => {
    const source = { host: "s.example", name: "S" };
    expect(siteByRule("auto", { ...document, source }, "set")).toBe(source);
    expect(siteByRule("auto", document, "set").host).toBe("www.a.example");
    expect(siteByRule("auto", { id: "d", url: "" }, "set").host).toBe("set.example");
    expect(siteByRule("one", { ...document, source }, "set").host).toBe("set.example");
  });

  test("is a part by the hash of its id: always the same, and the parts about equal", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      const { host } = siteByRule(12, { id: `d${i}`, url: "" }, "set");
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    expect(siteByRule(12, { id: "d0", url: "" }, "set").host).toBe("part-06.set.example");
    expect(counts.size).toBe(12);
    // Five standard deviations of a binomial count around 10,000 / 12.
    for (const count of counts.values()) expect(Math.abs(count - 10_000 / 12)).toBeLessThan(5 * 27.6);
  });

  test("is always a host name, whatever the address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), fc.string(), (url, name) => {
        const set = hostLabel(name) ?? "set";
        expect(siteIdSchema.safeParse(siteByRule("auto", { id: "d", url }, set).host).success).toBe(true);
      }),
    );
  });

  test.each([
    ["HTTPS://WWW.Example.COM:8080/a", "www.example.com"],
    ["http://my_blog.example./", "my-blog.example"],
    ["http://bücher.example/", "xn--bcher-kva.example"],
    ["http://localhost/", null],
    ["http://[::1]/", null],
    ["ftp://a.example/", null],
    ["a.example", null],
  ])("the host of %s is %s", (url, host) => {
    expect(hostOf(url)).toBe(host);
  });

  test.each(["0", "-1", "2.5", "10001", "", "hosts"])("--sites %s is refused", (text) => {
    expect(() => parseSiteRule(text)).toThrow(/--sites: expected auto, one or a number/);
  });
});

test("a site's words are frequent there and rare elsewhere", () => {
  const words = new SiteWords();
  for (const title of ["Heart diseases of adults", "heart, and the lungs", "Diseases"]) words.add("a", title);
  for (const title of ["Plant diseases", "Plant of the year"]) words.add("b", title);
  expect(words.telling()).toEqual(
    new Map([
      ["a", ["heart", "adults", "lungs", "diseases"]],
      ["b", ["plant", "year", "diseases"]],
    ]),
  );
});

describe("real popularity", () => {
  const here = sourceFolder();
  const list = (rows: unknown) => JSON.stringify({ header: ["#pr_val", "#host_rev"], rows });

  test("is each site's share of PageRank; a host without a value has its domain's", () => {
    here.write({
      "list.json": list([
        ["0.3", "org.example"],
        ["0.1", "org.example.www"],
        ["5", "net.other"],
      ]),
    });
    const sites = ["www.example.org", "a.b.example.org", "elsewhere.com"];
    expect(new SitePriors(here.path("list.json")).popularity(sites)).toEqual(
      new Map([
        ["www.example.org", 0.1 / 0.4],
        ["a.b.example.org", 0.3 / 0.4],
        ["elsewhere.com", 0],
      ]),
    );
    expect(new SitePriors(here.path("list.json")).popularity(["x.com"])).toEqual(new Map([["x.com", 0]]));
  });

  test.each([
    ["not JSON", "#", /is not JSON .* give a list/],
    ["another list", '{"header": [], "rows": []}', /header: names no columns/],
    ["another form", "[]", /list\.json/],
    [
      "a value that is no number",
      list([["x", "org.example"]]),
      /rows\.0: expected a reversed host name and a PageRank/,
    ],
  ])("%s is refused", (_name, text, message) => {
    here.write({ "list.json": text });
    expect(() => new SitePriors(here.path("list.json"))).toThrow(message);
  });
});
