import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { RealTimePacer, readPace } from "../../src/cli/pacer.ts";
import { RecordedRun } from "../../src/cli/recorded-run.ts";
import { readManifest } from "../../src/run/manifest.ts";
import { readRunInputs } from "../../src/run/replay-run.ts";
import { command } from "../support/cli.ts";
import { factsOf, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
const run = join(web.folder, "run");

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const end = await command("run", web.scenario("watched", { until: "1h" }), "--no-view", "--out", run);
  expect(end.code, end.stderr).toBe(0);
});

function open(directory: string, speed: number | null = null) {
  const recorded = new RecordedRun(directory, readRunInputs(directory, readManifest(directory)), speed, () => {});
  const read = (elapsedMs = 0, atMs = 0): void => recorded.read(elapsedMs, Number.POSITIVE_INFINITY, () => atMs);
  return { recorded, read };
}

/** Queries that the trace has completed by a time. */
const completedBy = (ms: number): number =>
  factsOf(readTrace(run), "query.completed").filter(({ t }) => t <= ms).length;

function completed({ recorded }: ReturnType<typeof open>): number {
  const { answered, unanswered, failed } = recorded.statistics.snapshot().queries;
  return answered + unanswered + failed;
}

describe("a run that is over", () => {
  test("is shown at its end; the arrows go back and forth in it, to what was then", () => {
    const watched = open(run);
    watched.read();
    expect(watched.recorded.over).toBe(true);
    expect(completed(watched)).toBe(completedBy(Number.POSITIVE_INFINITY));
    const stepMs = 0.02 * 3_600_000;
    watched.recorded.scrub(-25);
    watched.read();
    expect(completed(watched)).toBe(completedBy(3_600_000 - 25 * stepMs));
    watched.recorded.scrub(5);
    watched.read();
    expect(completed(watched)).toBeGreaterThanOrEqual(completedBy(3_600_000 - 21 * stepMs));
    expect(watched.recorded.paused).toBe(true);
    watched.recorded.close();
  });

  test("goes at the pace that is set", () => {
    const watched = open(run, 600);
    watched.read(1000);
    const { t } = watched.recorded.statistics.snapshot();
    expect(t).toBeLessThanOrEqual(600_000);
    expect(completed(watched)).toBe(completedBy(600_000));
    watched.recorded.close();
  });

  test("is printed and done where no keys can be pressed", async () => {
    const { code, stderr } = await command("watch", run, "--no-view");
    expect(code).toBe(0);
    expect(stderr).toContain("100.0%");
  });
});

test("a trace that grows is followed, line by line, and a killed run is over when nobody writes it", () => {
  const growing = join(web.folder, "growing");
  cpSync(run, growing, { recursive: true });
  const trace = readFileSync(join(run, "trace.jsonl"), "utf8");
  const manifest = readFileSync(join(run, "manifest.json"), "utf8").replace('"completed"', '"running"');
  writeFileSync(join(growing, "manifest.json"), manifest);
  const half = Math.floor(trace.length / 2);
  writeFileSync(join(growing, "trace.jsonl"), trace.slice(0, half));
  const watched = open(growing);
  watched.read();
  const before = watched.recorded.statistics.snapshot().facts;
  expect(before).toBe(trace.slice(0, half).split("\n").length - 2);
  writeFileSync(join(growing, "trace.jsonl"), trace.slice(0, half + 5000));
  watched.read(0, 100);
  expect(watched.recorded.statistics.snapshot().facts).toBe(trace.slice(0, half + 5000).split("\n").length - 2);
  expect(watched.recorded.over).toBe(false);
  watched.read(0, 5000);
  expect(watched.recorded.over).toBe(true);
  watched.recorded.close();
});

describe("a pace", () => {
  test("holds virtual time back to so many times real time", async () => {
    const pacer = new RealTimePacer(1000);
    await pacer.hold(0, () => false);
    const from = performance.now();
    await pacer.hold(100_000, () => false);
    expect(performance.now() - from).toBeGreaterThan(90);
  });

  test("is let go by a stop", async () => {
    const pacer = new RealTimePacer(1);
    await pacer.hold(0, () => false);
    let isOver = false;
    setTimeout(() => (isOver = true), 20);
    await pacer.hold(3_600_000, () => isOver);
  });

  test("is a number and an x", () => {
    expect(readPace("600x")).toBe(600);
    for (const bad of ["600", "0x", "-1x", "fast"]) expect(() => readPace(bad), bad).toThrow(/expected a pace/);
  });
});
