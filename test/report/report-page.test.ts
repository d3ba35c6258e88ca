import { statSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { CorpusWriter } from "../../src/corpora/write.ts";
import { browserNote, hasBrowser, pageOpener } from "../support/browser.ts";
import { command } from "../support/cli.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const open = pageOpener();

/** Text that tries to become markup, script, the end of a script, a line, a handler, or another name. */
const hostile = `</script><script>alert(1)</script><img src=x onerror="alert(2)">'"\`\${x}&lt;b&gt;\u2028\u2029]]>--> <!-- \u202egnp`;

let report: string;
let hostileReport: string;
beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  report = await run(
    web.scenario("page", { interventions: "[{ at: 20m, outage: garden.example, for: 10m }]", until: "2h" }),
    "page",
  );
  writeHostileCorpus(join(web.folder, "hostile-corpus"));
  hostileReport = await run(
    web.scenario("hostile", {
      corpus: join(web.folder, "hostile-corpus"),
      assistants: `
  - { share: 0.5, strategy: multi-agent, model: surrogate/gemini-3-flash }
  - { share: 0.5, strategy: classic-ir, model: surrogate/qwen3-4b }`,
    }),
    "hostile",
  );
});

async function run(scenario: string, name: string): Promise<string> {
  const out = join(web.folder, name);
  const end = await command("run", scenario, "--no-view", "--out", out);
  expect(end.code, end.stderr).toBe(0);
  return join(out, "report.html");
}

/** A web whose names, questions and ids are hostile; what a file system or host name forbids aside. */
function writeHostileCorpus(directory: string): void {
  const writer = new CorpusWriter(directory);
  writer.writeHead({ name: "hostile", version: "1", language: "en" });
  for (const site of ["a.example", "b.example", "c.example"]) {
    writer.writeSite({
      id: site,
      name: `${site} ${hostile}`,
      description: hostile,
      topics: ["trains"],
      priors: { authority: 0.5, popularity: 0.1 },
    });
    for (const index of [1, 2]) {
      const id = `${site}-${index}-${hostile}`;
      const text = `All about night trains, number ${index}. ${hostile}`;
      writer.writeDocument({ id, site, url: `https://${site}/${index}`, title: hostile, text });
      writer.writeTopic("web-search", {
        id: `t-${id}`,
        query: `night trains ${index} ${hostile}`,
        relevant: { [id]: 1 },
      });
    }
  }
  writer.finish();
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    "axe.run(document).then(({ violations }) => violations)",
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

async function openAll(page: Page, selector: string): Promise<void> {
  await page.evaluate(`for (const each of document.querySelectorAll("${selector}")) each.open = true`);
}

describe.skipIf(!hasBrowser)(`A report in a browser${browserNote}`, () => {
  it("opens as a file without a request, an error or a warning, its charts drawn", async () => {
    const { page, complaints } = await open(report);
    await page.waitForSelector("#explorer tbody tr");
    expect(await page.textContent("h1")).toBe("page");
    for (const id of ["traffic-citations", "traffic-contacts", "lorenz", "scores-web-search", "losses"]) {
      const box = await page.locator(`#${id} svg`).first().boundingBox();
      expect(box?.width, id).toBeGreaterThan(100);
      expect(await page.locator(`#${id} svg path, #${id} svg rect, #${id} svg circle`).count(), id).toBeGreaterThan(1);
    }
    expect(complaints).toEqual([]);
    expect(statSync(report).size).toBeLessThan(3_000_000);
  });

  it("shows charts, tables and sites with scripts switched off", async () => {
    const { page, complaints } = await open(report, { scripts: false });
    expect((await page.locator("#traffic-citations svg").boundingBox())?.height).toBeGreaterThan(100);
    await page.locator("#traffic-citations details summary").click();
    expect(await page.locator("#traffic-citations details table tbody tr").count()).toBe(8);
    await page.locator("details.site summary").first().click();
    expect(await page.locator("details.site").first().innerText()).toContain("Lost to");
    expect(complaints).toEqual([]);
  });

  it("gives each chart's data as CSV", async () => {
    const { page } = await open(report);
    const link = await page.locator("#lorenz a[download]").getAttribute("href");
    const csv = decodeURIComponent((link as string).split(",").slice(1).join(","));
    expect(csv.split("\n")[0]).toBe("measure,share of sites,share of events");
    expect(csv.trimEnd().split("\n").at(-1)).toMatch(/,1,1$/);
  });

  it("lets its queries be searched, filtered and opened, by keyboard alone", async () => {
    const { page, complaints } = await open(report);
    const rows = page.locator("#explorer tbody tr");
    const status = page.locator("#explorer [role=status]");
    const all = Number((await status.innerText()).match(/of (\d+) queries/)?.[1]);
    expect(all).toBeGreaterThan(25);
    await page.getByRole("button", { name: "Next" }).press("Enter");
    expect(await status.innerText()).toContain("page 2 of");
    await page.getByLabel("Search in").fill("rye bread");
    expect(await rows.allInnerTexts()).toSatisfy((texts: string[]) =>
      texts.every((text) => text.includes("rye bread")),
    );
    await page.getByLabel("Search in").fill("no such words");
    expect(await status.innerText()).toContain("0 to 0 of 0 queries");
    await page.getByLabel("Search in").fill("");
    await page.getByLabel("Outcome").selectOption("answered, found");
    expect(await rows.first().innerText()).toContain("answered, found");
    const found = Number((await status.innerText()).match(/of (\d+) queries/)?.[1]);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(all);
    await page.getByLabel("only with every step").check();
    await rows.first().getByRole("button").press("Enter");
    const detail = page.locator("#query-detail");
    expect(await page.evaluate(`document.activeElement.matches('#query-detail h3')`)).toBe(true);
    expect(await detail.locator(".relevant").count()).toBeGreaterThan(0);
    expect(await detail.locator("table tbody tr").count()).toBeGreaterThan(2);
    expect(page.url()).toContain("#query=");
    expect(complaints).toEqual([]);
  });

  it("lets a site be picked in the stack, from the legend and from the list", async () => {
    const { page } = await open(report);
    const figure = page.locator("#traffic-citations");
    await figure.locator("button[data-pick]").first().press("Enter");
    expect(await figure.locator(".is-picked").count()).toBe(1);
    await figure.locator("select").selectOption({ label: "birds.example" });
    expect(await figure.locator(".is-picked").count()).toBe(1);
    expect(await figure.locator("button[aria-pressed=true]").innerText()).toContain("birds.example");
    await figure.locator("select").selectOption("");
    expect(await figure.locator(".is-picked").count()).toBe(0);
  });

  it("fits a phone: nothing but tables and charts scrolls sideways", async () => {
    const { page } = await open(report, { width: 360 });
    await openAll(page, "details");
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  });

  it.each([
    ["light", 1200],
    ["dark", 1200],
    ["dark", 360],
  ] as const)("has nothing that axe finds, %s, %d wide", async (colorScheme, width) => {
    const { page } = await open(report, { colorScheme, width });
    await page.getByLabel("only with every step").check();
    await page.locator("#explorer tbody button").first().click();
    await openAll(page, "details");
    expect(await violations(page)).toEqual([]);
  });

  it("shows hostile text as text, wherever it comes from", async () => {
    const { page, complaints } = await open(hostileReport);
    await page.getByLabel("only with every step").check();
    expect(await page.locator("#explorer tbody tr").first().innerText()).toContain("<script>alert(1)</script>");
    await page.locator("#explorer tbody button").first().click();
    expect(await page.locator("#query-detail").innerText()).toContain(`onerror="alert(2)"`);
    await page.locator("details.site summary").first().click();
    expect(await page.locator("details.site h3").first().innerText()).toContain("<img src=x");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.evaluate("document.body.innerText.includes(String.fromCharCode(0x202e))")).toBe(false);
    expect(complaints).toEqual([]);
  });
});
