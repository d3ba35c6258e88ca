import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { command, commandProcess } from "../support/cli.ts";
import { filesBelow, readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let run: string;
let brief: string;
let copies = 0;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  run = join(web.folder, "run");
  const scenario = web.scenario("hour", {
    until: "30m",
    interventions: "[{ at: 5m, outage: garden.example, for: 10m }]",
    assistants: `
  - { share: 0.7, strategy: multi-agent, model: surrogate/qwen3-4b }
  - { share: 0.3, strategy: classic-ir }`,
  });
  brief = join(web.folder, "brief");
  for (const [out, level] of [
    [run, "full"],
    [brief, "summary"],
  ] as const) {
    const end = await command("run", scenario, "--no-view", "--out", out, "--trace", level);
    expect(end.code, end.stderr).toBe(0);
  }
  // From here on there is neither corpus, nor cache, nor scenario.
  renameSync(web.corpus, join(web.folder, "gone"));
  rmSync(web.cache, { recursive: true });
  rmSync(scenario);
});

/** A copy of the run with one file's text changed. */
function copyWith(name: string, change: (text: string) => string): string {
  const copy = join(web.folder, `copy-${++copies}`);
  cpSync(run, copy, { recursive: true });
  const file = join(copy, name);
  const text = readFileSync(file, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
  return copy;
}

describe("A replay", () => {
  it("fails when the manifest has another trace hash", async () => {
    const copy = copyWith("manifest.json", (text) => text.replace(/"traceSha256": "./, '"traceSha256": "x'));
    const end = await command("replay", copy);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("another hash");
  });

  it("says what is missing or impossible in a damaged run, in one line", async () => {
    const damaged = [
      [copyWith("manifest.json", (text) => text.replace('"level": "full"', '"level": "foo"')), 2, "level"],
      [copyWith("manifest.json", (text) => text.replace(/"models": \[[^\]]*\]/, '"models": "x"')), 2, "models"],
      [copyWith("texts.jsonl", (text) => text.slice(text.indexOf("\n") + 1)), 1, "texts.jsonl"],
    ] as const;
    for (const [copy, code, word] of damaged) {
      const end = await command("replay", copy);
      expect(end, end.stderr).toMatchObject({ code });
      expect(end.stderr).toContain(word);
      expect(end.stderr.trim().split("\n")).toHaveLength(1);
    }
  });

  it("is byte-identical without corpus, cache and scenario, in another time zone and language", async () => {
    const env = {
      TZ: "America/St_Johns",
      LANG: "ar_EG.UTF-8",
      LC_ALL: "ar_EG.UTF-8",
      AWESIM_CACHE: join(web.folder, "none"),
    };
    const end = await commandProcess(["replay", run], env);
    expect(end, end.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain(readTrace(run).footer?.["streamSha256"]);
  });

  it("with --out leaves a run directory with the same trace, tables and measures", async () => {
    const out = join(web.folder, "again");
    const end = await command("replay", run, "--out", out);
    expect(end.code, end.stderr).toBe(0);
    const same = filesBelow(run).filter((name) => name !== "manifest.json");
    expect(filesBelow(out).filter((name) => name !== "manifest.json")).toEqual(same);
    for (const name of same)
      expect(readFileSync(join(out, name), "utf8"), name).toBe(readFileSync(join(run, name), "utf8"));
    const manifest = (of: string) => readJson<{ calls: Record<string, number>; status: string }>(of, "manifest.json");
    expect(manifest(out)).toMatchObject({ status: "completed" });
    expect(manifest(out).calls).toEqual({ live: 0, surrogate: 0, unused: 0, tape: manifest(run).calls["surrogate"] });
    expect((await command("replay", out)).code).toBe(0);
  });

  it("of a run with less in its trace compares what that run kept", async () => {
    const end = await command("replay", brief);
    expect(end.code, end.stderr).toBe(0);
    expect(readTrace(brief).footer?.["streamSha256"]).toBe(readTrace(run).footer?.["streamSha256"]);
  });

  it("leaves nothing behind without --out, and changes nothing in the run", async () => {
    const bytes = () => filesBelow(run).map((name) => readFileSync(join(run, name), "utf8"));
    const before = bytes();
    const listing = filesBelow(web.folder);
    expect((await command("replay", run)).code).toBe(0);
    expect(bytes()).toEqual(before);
    expect(filesBelow(web.folder)).toEqual(listing);
  });
});

describe("A replay that differs", () => {
  it("by an edited prompt says who first asked what is not on the tape, and in which parts it differs", async () => {
    const edited = copyWith("inputs/prompts/user-agent.web-search.sites.md", (text) =>
      text.replace("best first", "worst first"),
    );
    const end = await command("replay", edited);
    expect(end.code).toBe(1);
    const [firstAsked] = readTrace(run).facts.filter(({ type }) => type === "model.asked");
    const { query } = firstAsked as unknown as { query: string };
    expect(end.stderr).toMatch(
      new RegExp(`not on the tape: .*/${query}/user/1: .* differs in prompt \\(from part 1; `),
    );
    expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("by another seed says so: another query, or other parts", async () => {
    const edited = copyWith("inputs/scenario.yaml", (text) => text.replace("seed: 3", "seed: 4"));
    const end = await command("replay", edited);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/not on the tape/);
  });

  it("by an edited trace shows the first line that differs, as recorded and as replayed", async () => {
    let number = 0;
    const edited = copyWith("trace.jsonl", (text) => {
      const lines = text.split("\n");
      number = lines.findIndex((line) => line.includes('"query.completed"'));
      lines[number] = (lines[number] as string).replace("query.completed", "query.forgotten");
      return lines.join("\n");
    });
    const end = await command("replay", edited);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(new RegExp(`part at line ${number + 1}, at \\d+ ms, query q\\d+\n`));
    expect(end.stderr).toMatch(
      /differs in: type\n {2}the last answer there: to the request [0-9a-f]{64} of u\d+\/q\d+\//,
    );
    expect(end.stderr).toMatch(/recorded: .*query\.forgotten.*\n {2}replayed: .*query\.completed/);
  });

  it("by a trace that was cut short shows where it ended", async () => {
    const edited = copyWith("trace.jsonl", (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1));
    const end = await command("replay", edited);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/recorded: \(it has ended\)\n {2}replayed: .*trace\.end/);
  });

  it("with --out leaves what was replayed, with its status, to be looked at", async () => {
    const edited = copyWith("inputs/prompts/content-agent.md", (text) => text.replace("most useful", "least useful"));
    const out = join(web.folder, "differs");
    expect((await command("replay", edited, "--out", out)).code).toBe(1);
    expect(readJson<Record<string, unknown>>(out, "manifest.json")["status"]).toBe("failed");
    expect(readTrace(out).footer).toBeNull();
    expect(readTrace(out).facts.length).toBeGreaterThan(0);
  });
});

describe("A run that is damaged", () => {
  it("on its tape is told by file and line, exit 1", async () => {
    const edited = copyWith("tape.jsonl", (text) => {
      const lines = text.split("\n");
      lines[4] = (lines[4] as string).replace(/[a-z](?=[^a-z])/, "X");
      return lines.join("\n");
    });
    const end = await command("replay", edited);
    expect(end.code).toBe(1);
    expect(end.stderr).toBe(`awesim: ${join(edited, "tape.jsonl")}:5: this line is damaged\n`);
  });

  it("in its texts is told by file, exit 1", async () => {
    const edited = copyWith("texts.jsonl", (text) => text.replace(/^.*\n/, '{"sha256": 1}\n'));
    const end = await command("replay", edited);
    expect(end).toMatchObject({ code: 1, stderr: `awesim: ${join(edited, "texts.jsonl")}:1: this line is damaged\n` });
  });

  it.each([
    "inputs/sites.jsonl",
    "inputs/scenario.yaml",
    "inputs/prompts/reminders.yaml",
    "tape.jsonl",
    "texts.jsonl",
    "inputs",
  ])("by lacking %s is bad input", async (name) => {
    const copy = mkdtempSync(join(web.folder, "lacking-"));
    cpSync(run, copy, { recursive: true });
    rmSync(join(copy, name), { recursive: true });
    const end = await command("replay", copy);
    expect(end.code, end.stderr).toBe(2);
    expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(end.stderr).toContain(copy);
  });
});
