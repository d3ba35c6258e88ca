import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatServer, completion, sendJson } from "../support/chat-server.ts";
import { command } from "../support/cli.ts";
import { factsOf, readCsv, readJson, readTrace, traceHash } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb({ allTasks: true });
const population =
  "{ users: 5, arrivals: { process: every-topic, rate: 600/h, topics: 4 }, tasks: { web-search: 1, web-recommendation: 1, question-answering: 1, deep-research: 1 } }";
const assistants = `
  - { name: sites, strategy: multi-agent, model: surrogate/gemini-3-flash }
  - { name: central, strategy: classical, model: surrogate/gemini-3-flash }
  - { name: closed, strategy: closed-book, model: surrogate/gemini-3-flash }
  - { name: engine, strategy: classic-ir }`;

interface Metrics {
  groups: {
    task: string;
    strategy: string;
    n: number;
    judge: { kind: string; model: string; promptSha256: string; votes: number; agreement: number | null } | null;
    measures: Record<string, { mean: number | null; n: number } | null>;
  }[];
}

async function run(name: string, ...more: string[]): Promise<string> {
  const scenario = web.scenario(name, { population, assistants, until: undefined });
  const out = join(web.folder, `run-${name}`);
  const { code, stderr } = await command("run", scenario, "--no-view", "--out", out, ...more);
  expect(stderr.split("\n").filter((line) => line.startsWith("awesim:"))).toEqual([]);
  expect(code).toBe(0);
  return out;
}

const groupOf = ({ groups }: Metrics, task: string, strategy: string) =>
  groups.find((group) => group.task === task && group.strategy === strategy) as Metrics["groups"][number];

beforeAll(() => {
  process.env["AWESIM_CACHE"] = web.cache;
});

describe("A run of all tasks without a judge", () => {
  it("scores what words can tell, has null for what only a judge can, and is replayed", async () => {
    const out = await run("plain");
    const metrics = readJson<Metrics>(out, "metrics.json");
    expect(metrics.groups.map(({ n }) => n)).toEqual(metrics.groups.map(() => 4));
    const answers = groupOf(metrics, "question-answering", "classical");
    expect(answers.judge).toBeNull();
    expect(answers.measures["accuracy"]).toBeNull();
    expect(answers.measures["failureUserAgent"]).toBeNull();
    expect(answers.measures["f1"]?.n).toBe(4);
    const reports = groupOf(metrics, "deep-research", "multi-agent");
    for (const name of ["kpr", "kpc", "clarity", "support"]) expect(reports.measures[name]).toBeNull();
    expect(reports.measures["keyPointMatch"]?.mean).toBeGreaterThan(0);
    expect(reports.measures["citedAgents"]?.mean).toBeGreaterThan(0);
    expect(groupOf(metrics, "deep-research", "closed-book").measures["noReference"]?.mean).toBe(1);
    expect(groupOf(metrics, "question-answering", "classic-ir").measures["f1"]?.mean).toBeNull();
    const report = readFileSync(join(out, "report.md"), "utf8");
    expect(report).toContain("keyPointMatch");
    expect(report).toContain("answerFromEvidence");
    const { code } = await command("replay", out);
    expect(code).toBe(0);
  });

  it("keeps the texts of answers, and states the sites that a report cites", async () => {
    const out = join(web.folder, "run-plain");
    const texts = readFileSync(join(out, "texts.jsonl"), "utf8");
    const reports = new Set(
      factsOf(readTrace(out), "query.arrived")
        .filter(({ task }) => task === "deep-research")
        .map(({ query }) => query),
    );
    const completed = factsOf(readTrace(out), "query.completed").filter(
      ({ query, outcome, answer }) => reports.has(query) && outcome === "answered" && typeof answer === "string",
    );
    expect(completed.length).toBeGreaterThan(5);
    for (const { answer } of completed) expect(texts).toContain(`"sha256":"${answer as string}"`);
    const cited = factsOf(readTrace(out), "citation.made").filter(
      ({ query, document }) => reports.has(query) && document === undefined,
    );
    expect(cited.length).toBeGreaterThan(0);
    expect(new Set(cited.map(({ query, site }) => `${query} ${site}`)).size).toBe(cited.length);
  });
});

describe("A run with a language model as its judge", () => {
  let asked = 0;
  const server = chatServer((n, response, { body }) => {
    asked += 1;
    const prompt = body.messages[0]?.content ?? "";
    const verdict = prompt.includes("You grade")
      ? n % 2 === 0
        ? "correct"
        : "incorrect"
      : prompt.includes("You rate")
        ? 7
        : prompt.includes("You check whether")
          ? prompt.includes("Point: a thing that no page says")
            ? "omitted"
            : "supported"
          : "related";
    // One in five votes cannot be read, and is asked for again.
    const content =
      n % 5 === 0 ? "I would rather not say." : `Well. {"reason": "so", "verdict": ${JSON.stringify(verdict)}}`;
    return sendJson(response, 200, completion({ content }));
  });
  let judged: string;

  beforeAll(async () => {
    process.env["OPENAI_BASE_URL"] = (await server).baseUrl;
    judged = await run("judged", "--set", "judge.model=openai/critic", "--set", "judge.votes=3");
  }, 60_000);
  afterAll(async () => {
    delete process.env["OPENAI_BASE_URL"];
    await (await server).close();
  });

  it("has the judged measures, and says who judged and how far the votes agree", () => {
    const metrics = readJson<Metrics>(judged, "metrics.json");
    const reports = groupOf(metrics, "deep-research", "multi-agent");
    expect(reports.judge).toMatchObject({ kind: "llm", model: "openai/critic", votes: 3 });
    expect(reports.judge?.promptSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(reports.judge?.agreement).toBeGreaterThan(0.9);
    expect(reports.measures["kpr"]?.mean).toBe(0.5);
    expect(reports.measures["kpc"]?.mean).toBe(0);
    expect(reports.measures["clarity"]?.mean).toBeCloseTo(0.7, 12);
    expect(reports.measures["insight"]?.n).toBe(4);
    const answers = groupOf(metrics, "question-answering", "multi-agent");
    expect(answers.measures["accuracy"]?.n).toBe(4);
    const { mean, n } = answers.measures["failureContentAgents"] ?? {};
    expect(n === 0 || mean === 1).toBe(true);
    expect(groupOf(metrics, "web-search", "multi-agent").judge).toBeNull();
    const rows = readCsv(judged, "queries.csv");
    expect(rows.filter((row) => row["kpr"] !== "").length).toBeGreaterThan(10);
  });

  it("can be compared with the measures by words", async () => {
    const { code, stdout } = await command("judge-agreement", judged, "--json");
    expect(code).toBe(0);
    const found = JSON.parse(stdout) as { lexical: string; n: number; kappa: number | null; tauB: number | null }[];
    expect(found.map(({ lexical }) => lexical)).toEqual(["exactMatch", "answerContainment", "f1", "keyPointMatch"]);
    expect(found.every(({ n }) => n >= 12)).toBe(true);
    const plain = await command("judge-agreement", join(web.folder, "run-plain"));
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain("judge.model");
  });

  it("replays from the tape alone, byte for byte, without the judge", async () => {
    const before = asked;
    const { code } = await command("replay", judged);
    expect(code).toBe(0);
    expect(asked).toBe(before);
  });

  it("has the agents' part of the trace that it has without a judge", () => {
    const agents = (out: string) =>
      readTrace(out)
        .facts.filter(({ type }) => type !== "query.scored" && type !== "window.closed")
        .map(({ seq: _, ...fact }) => fact);
    expect(agents(judged)).toEqual(agents(join(web.folder, "run-plain")));
    expect(traceHash(judged)).not.toBe(traceHash(join(web.folder, "run-plain")));
  });
});
