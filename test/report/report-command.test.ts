import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { filesBelow, readJson } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const inWeb = (name: string) => join(web.folder, name);
const written = ["report.html", "report.md", "metrics.json", "queries.csv", "traffic.csv", "run.trec", "qrels.txt"];

let hour: string;
beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  hour = await run("hour");
});

async function run(name: string, ...options: string[]): Promise<string> {
  const scenario = web.scenario("hour", {
    until: "2h",
    assistants: `
  - { share: 0.6, strategy: multi-agent, model: surrogate/gemini-3-flash }
  - { share: 0.4, strategy: classical, model: surrogate/gemini-3-flash }`,
    interventions: "[{ at: 30m, remove: birds.example }]",
  });
  const end = await command("run", scenario, "--no-view", "--out", inWeb(name), ...options);
  expect(end.code, end.stderr).toBe(0);
  return inWeb(name);
}

function copyOf(directory: string, name: string): string {
  cpSync(directory, inWeb(name), { recursive: true });
  return inWeb(name);
}

function contents(directory: string): Record<string, string> {
  return Object.fromEntries(written.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

describe("awesim report", () => {
  it("makes page and tables anew, to the byte, from the trace", async () => {
    const copy = copyOf(hour, "rebuilt");
    for (const name of written.filter((each) => each !== "metrics.json")) rmSync(join(copy, name));
    const end = await command("report", copy);
    expect(end.code, end.stderr).toBe(0);
    expect(contents(copy)).toEqual(contents(hour));
    expect(filesBelow(copy)).toEqual(filesBelow(hour));
  });

  it("does so from the tape where the trace leaves facts out", async () => {
    const short = await run("summary", "--trace", "summary");
    const before = contents(short);
    for (const name of written) rmSync(join(short, name));
    const end = await command("report", short);
    expect(end.code, end.stderr).toBe(0);
    expect(contents(short)).toEqual(before);
    expect(before["report.html"]).toBe(contents(hour)["report.html"]);
  });

  it("tells of a killed run what happened until then", async () => {
    const copy = copyOf(hour, "killed");
    const trace = readFileSync(join(copy, "trace.jsonl"), "utf8");
    writeFileSync(join(copy, "trace.jsonl"), trace.slice(0, trace.length / 2));
    const manifest = readJson<Record<string, unknown>>(copy, "manifest.json");
    writeFileSync(join(copy, "manifest.json"), JSON.stringify({ ...manifest, status: "running", traceSha256: null }));
    for (const name of written) rmSync(join(copy, name));
    const end = await command("report", copy);
    expect(end.code, end.stderr).toBe(0);
    expect(readFileSync(join(copy, "report.md"), "utf8")).toMatch(/^Killed at 0[01]:/m);
    expect(readFileSync(join(copy, "report.html"), "utf8")).toContain("The run did not complete (killed)");
    const { run: about } = readJson<{ run: Record<string, unknown> }>(copy, "metrics.json");
    expect(about).toMatchObject({ events: null, traceSha256: null });
  });

  it("refuses what is no run, or a run whose trace is damaged, and leaves what was there", async () => {
    expect(await command("report", web.folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("manifest.json"),
    });
    const copy = copyOf(hour, "damaged");
    const lines = readFileSync(join(copy, "trace.jsonl"), "utf8").split("\n");
    lines[10] = "{";
    writeFileSync(join(copy, "trace.jsonl"), lines.join("\n"));
    expect(await command("report", copy)).toMatchObject({ code: 1, stderr: expect.stringContaining("trace.jsonl:11") });
    expect(contents(copy)).toEqual(contents(hour));
    expect(readdirSync(copy).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("writes each chart as SVG in colours of its own, as PNG, and its data as CSV", async () => {
    const charts = inWeb("charts");
    expect((await command("report", hour, "--charts", charts)).code).toBe(0);
    const names = readdirSync(charts);
    for (const name of ["traffic-citations", "lorenz", "citations-by-assistant", "losses"]) {
      expect(names).toEqual(expect.arrayContaining([`${name}.svg`, `${name}.png`, `${name}.csv`]));
    }
    expect(names).toContain("scores-web-search-ndcg-at-3.png");
    for (const name of names.filter((each) => each.endsWith(".svg"))) {
      const svg = readFileSync(join(charts, name), "utf8");
      expect(svg, name).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg, name).not.toMatch(/var\(|currentColor|NaN/);
    }
    for (const name of names.filter((each) => each.endsWith(".png"))) {
      const png = readFileSync(join(charts, name));
      expect(png.subarray(1, 4).toString(), name).toBe("PNG");
      expect(png.readUInt32BE(16), name).toBeGreaterThan(800);
    }
    const shares = readFileSync(join(charts, "citations-by-assistant.csv"), "utf8").trimEnd().split("\n").slice(1, -2);
    const sum = shares.reduce((total, line) => total + Number(line.split(",").at(-1)), 0);
    expect(sum).toBeCloseTo(1, 3);
  });

  it("describes the run for a paper, and how to cite awesim", async () => {
    const copy = copyOf(hour, "described");
    expect((await command("report", copy, "--methods")).code).toBe(0);
    const methods = readFileSync(join(copy, "methods.md"), "utf8");
    for (const part of ["Purpose", "Entities", "Process overview", "Design concepts", "Initialisation", "Input data"]) {
      expect(methods).toMatch(new RegExp(`^## ${part}`, "m"));
    }
    expect(methods).toContain(readJson<{ traceSha256: string }>(hour, "manifest.json").traceSha256);
    expect(methods).toContain("not evidence");
    expect(parse(readFileSync(join(copy, "CITATION.cff"), "utf8"))).toMatchObject({
      "cff-version": "1.2.0",
      type: "software",
    });
    expect(existsSync(join(copy, "citation.bib"))).toBe(true);
  });

  it("has no table of published patterns without the strategies that they compare", () => {
    expect(readFileSync(join(hour, "report.html"), "utf8")).not.toContain("Published patterns");
  });
});
