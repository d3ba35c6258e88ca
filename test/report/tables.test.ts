import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { csvLine } from "../../src/report/csv.ts";
import { metricsJson } from "../../src/report/metrics-json.ts";
import { runSummary } from "../../src/report/summary.ts";
import { RunTables } from "../../src/report/tables.ts";
import type { QueryRow } from "../../src/statistics/query-ledger.ts";
import type { ScoredGroup } from "../../src/statistics/score-table.ts";
import type { Traffic } from "../../src/statistics/traffic.ts";
import { readCsv } from "../support/run-files.ts";
import { describedRun } from "./described-run.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-tables-"));
afterAll(() => rmSync(folder, { recursive: true }));

const row: QueryRow = {
  query: "q1",
  topic: 'a "quoted", topic',
  task: "web-search",
  strategy: "multi-agent",
  model: "openai/a model",
  thinking: true,
  user: "u1",
  arrivedMs: 5,
  completedMs: 95,
  outcome: "answered",
  turns: 3,
  validTurns: 2,
  sites: ["b.example", "a.example"],
  requests: 4,
  contentTurns: 6,
  nonEmptyReturns: 1,
  promptTokens: 70,
  completionTokens: 8,
  answer: ["d 2", "d1"],
  measures: { "ndcg@3": 1 / 3, siteRecall: null, lossNotRanked: 1, lossNotReturned: 0 },
};

describe("A line of CSV", () => {
  it("gives its fields back to a reader of RFC 4180", () => {
    const field = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', ",", "\n", "\r\n", '","', ""));
    const read = (line: string) => {
      const fields: string[] = [];
      let text = line.slice(0, -1);
      for (;;) {
        const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/s.exec(text) as RegExpExecArray;
        fields.push(match[1]?.replaceAll('""', '"') ?? (match[2] as string));
        if (match[3] === "") return fields;
        text = text.slice(match[0].length);
      }
    };
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
        expect(read(csvLine(fields))).toEqual(fields);
      }),
    );
  });

  it("writes numbers as they are and null as nothing", () => {
    expect(csvLine([1.5, null, "a", 0])).toBe("1.5,,a,0\n");
  });
});

describe("A run's tables", () => {
  const tables = new RunTables(folder, { run: "r", replication: 2 }, ["ndcg@3", "siteRecall"], () => ({
    d1: 1,
    "d 2": 3,
  }));
  tables.addQuery(row);
  tables.addQuery({ ...row, query: "q2", measures: null, turns: 0, validTurns: 0 });
  tables.addWindow({
    startMs: 0,
    endMs: 60,
    traffic: {
      contacts: new Map([
        ["b", 1],
        ["a", 2],
      ]),
      documents: new Map(),
      citations: new Map(),
      visits: new Map(),
      exposure: new Map([["a", 1 / 3]]),
    },
  });
  tables.close();
  const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n");

  it("name a query's columns in the reference's order", () => {
    expect(linesOf("queries.csv")[0]).toBe(
      "query,topic,task,strategy,model,user,arrivedMs,completedMs,outcome,turns,agents,requests,userValidity," +
        "ndcg@3,siteRecall,loss,promptTokens,completionTokens,cost",
    );
  });

  it("have a row a query; what is not known or not scored is empty", () => {
    expect(readCsv(folder, "queries.csv")).toMatchObject([
      {
        topic: 'a "quoted", topic',
        agents: "2",
        requests: "4",
        userValidity: "0.666667",
        "ndcg@3": "0.333333",
        siteRecall: "",
        loss: "notRanked",
        cost: "",
      },
      { query: "q2", userValidity: "", "ndcg@3": "", loss: "" },
    ]);
  });

  it("have the traffic of a window by measure and site, with shares of the window", () => {
    expect(linesOf("traffic.csv")).toEqual([
      "run,replication,windowStartMs,windowEndMs,site,measure,count,share",
      "r,2,0,60,a,contacts,2,0.666667",
      "r,2,0,60,b,contacts,1,0.333333",
      "r,2,0,60,a,exposure,0.333333,1",
    ]);
  });

  it("have rankings and judgements of scored queries with no blank within a field", () => {
    expect(linesOf("run.trec")).toEqual([
      "q1 Q0 d%202 1 2 multi-agent/openai/a_model",
      "q1 Q0 d1 2 1 multi-agent/openai/a_model",
    ]);
    expect(linesOf("resource-run.trec")).toEqual([
      "q1 Q0 b.example 1 2 multi-agent/openai/a_model",
      "q1 Q0 a.example 2 1 multi-agent/openai/a_model",
    ]);
    expect(linesOf("qrels.txt")).toEqual(["q1 0 d1 1", "q1 0 d%202 3"]);
  });
});

describe("A run's summary", () => {
  const nothing = {
    contacts: new Map(),
    documents: new Map(),
    citations: new Map(),
    exposure: new Map(),
    visits: new Map(),
  };
  const told = (traffic: Traffic, groups: ScoredGroup[] = []) => {
    const description = describedRun();
    const metrics = metricsJson({
      scenario: "s",
      seed: 1,
      replication: 0,
      traceSha256: null,
      untilMs: 90_061_000,
      messages: 0,
      events: 0,
      queries: { arrived: 0, answered: 0, unanswered: 0, failed: 0, inFlight: 0 },
      groups,
      retrieval: "dense",
      judging: description.judging,
      traffic,
      sites: description.sites,
    });
    return { description, status: "interrupted: stopped", metrics, record: null };
  };

  it("of a run without a query has no NaN, and says that it did not complete", () => {
    const text = runSummary(told(nothing));
    expect(text).toContain("Interrupted: stopped at day 2, 01:01:01 of virtual time: 0 queries arrived");
    expect(text).toContain("0 unfinished at the end");
    expect(text).toContain("No site was asked or cited.");
    expect(text).toContain("A notice.");
    expect(text).toContain("no trace hash");
    expect(text).not.toMatch(/NaN|undefined|null/);
  });

  it("shows the busiest sites with their shares", () => {
    const contacts = new Map([
      ["b.example", 1],
      ["a.example", 3],
    ]);
    const text = runSummary(told({ ...nothing, contacts, citations: new Map([["a.example", 2]]) }));
    expect(text).toMatch(/\| a\.example +\| 3 +\| 75\.0 % \| 2 +\| 100\.0 % \|/);
    expect(text).toMatch(/\| b\.example +\| 1 +\| 25\.0 % \| 0 +\| 0\.0 % +\|/);
  });

  it("fits 100 columns with many assistants, three beside one another", () => {
    const interval = { mean: 0.123, low: 0.1, high: 0.15, n: 20, method: "t", level: 0.95 } as const;
    const groups = Array.from({ length: 7 }, (_, index) => ({
      task: "web-search",
      strategy: "multi-agent",
      model: `surrogate/a-model-with-a-long-name-${index}`,
      thinking: true,
      n: 20,
      measures: { "ndcg@3": interval, turns: { ...interval, mean: 12.5, low: 11.25, high: 14 } },
    }));
    const run = told(nothing, groups);
    const notices = ["A notice of many words that goes on. ".repeat(12).trim()];
    const text = runSummary({ ...run, description: { ...run.description, notices } });
    expect(text.replaceAll("\n", " ")).toContain(notices[0]);
    expect(text.match(/0\.123 \[0\.100, 0\.150\]/g)).toHaveLength(7);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
