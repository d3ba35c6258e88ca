import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { IndexPort, ModelPort } from "../../src/agents/ports.ts";
import { RunControl } from "../../src/run/control.ts";
import { execute, type RunObserver } from "../../src/run/execute.ts";
import { type Gathered, gatherInputs } from "../../src/run/gather.ts";
import { livePorts, openModels } from "../../src/run/live-ports.ts";
import type { RunPorts } from "../../src/run/simulate.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import type { Fact } from "../../src/trace/facts.ts";
import { TapeWriter } from "../../src/trace/tape-writer.ts";
import { command } from "../support/cli.ts";
import { readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
let gathered: Gathered;
let ports: RunPorts;
let directories = 0;

beforeAll(async () => {
  process.env["AWESIM_CACHE"] = web.cache;
  const loaded = loadScenario(web.scenario("short", { until: "20m" }));
  gathered = await gatherInputs({
    loaded,
    promptsDirectory: null,
    cacheDirectory: web.cache,
    replication: 0,
    progress: () => {},
  });
  const { inputs, retrieval } = gathered;
  const models = await openModels(loaded);
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  ports = livePorts({ inputs, retrieval, models, tape: null, calls, now: () => 0 });
});
afterAll(() => gathered.retrieval.close());
afterEach(() => vi.restoreAllMocks());

interface Changes {
  readonly model?: (model: ModelPort) => ModelPort;
  readonly index?: (index: IndexPort) => IndexPort;
  readonly observers?: readonly RunObserver[];
  readonly control?: RunControl;
  readonly replication?: number;
  readonly toFile?: boolean;
}

async function run({
  model,
  index,
  observers = [],
  control = new RunControl(),
  replication = 0,
  toFile,
}: Changes = {}) {
  const directory = toFile === true ? join(web.folder, `d${++directories}`) : null;
  if (directory !== null) mkdirSync(directory);
  const models = [0, 1].map((assistant) => {
    const port = ports.model(assistant) as ModelPort;
    return model?.(port) ?? port;
  });
  const changed: RunPorts = {
    model: (assistant) => models[assistant] as ModelPort,
    index: index?.(ports.index) ?? ports.index,
    pages: ports.pages,
    recordText: ports.recordText,
  };
  const inputs = { ...gathered.inputs, replication };
  const end = await execute({ inputs, ports: changed, directory, level: "full", control, observers, onTurn: () => {} });
  return { ...end, directory };
}

/** A model that answers later, in real time, in an order of its own. */
function slow(model: ModelPort): ModelPort {
  let n = 0;
  return {
    identity: model.identity,
    ask: async (request, caller) => {
      n = (n * 7 + 3) % 11;
      await new Promise((resolve) => setTimeout(resolve, n % 4));
      return model.ask(request, caller);
    },
  };
}

/** A port's method that does something else at its n-th call. */
function atCall<T extends (...args: never[]) => unknown>(n: number, method: T, instead: () => ReturnType<T>): T {
  let calls = 0;
  return ((...args: never[]) => (++calls === n ? instead() : method(...args))) as T;
}

describe("The trace hash", () => {
  it("is the same with and without file and observers, and however long answers really take", async () => {
    const seen: Fact[] = [];
    const { traceSha256, directory } = await run({ toFile: true });
    expect(traceSha256).toBe(readTrace(directory as string).footer?.["streamSha256"]);
    expect((await run()).traceSha256).toBe(traceSha256);
    expect((await run({ observers: [{ listen: (fact) => seen.push(fact) }] })).traceSha256).toBe(traceSha256);
    expect(seen).toEqual(readTrace(directory as string).facts);
    expect((await run({ model: slow })).traceSha256).toBe(traceSha256);
    const index = (port: IndexPort): IndexPort => ({ ...port, search: async (...args) => port.search(...args) });
    expect((await run({ index })).traceSha256).toBe(traceSha256);
  });

  it("is another in another replication", async () => {
    const hashes = await Promise.all([0, 1, 2].map(async (replication) => (await run({ replication })).traceSha256));
    expect(new Set(hashes).size).toBe(3);
  });

  it("is the same for runs that go on side by side in one process", async () => {
    const ends = await Promise.all([run({ model: slow }), run({ model: slow }), run()]);
    expect(new Set(ends.map(({ traceSha256 }) => traceSha256)).size).toBe(1);
  });
});

describe("A port that fails ends the run as failed, with what it said and when", () => {
  const error = new Error("the port is broken");
  const fail = (): never => {
    throw error;
  };
  const modelThat = (ask: () => never | Promise<never>) => (model: ModelPort) => ({
    identity: model.identity,
    ask: atCall(20, model.ask.bind(model), ask),
  });

  it.each<[string, Changes]>([
    ["a model that throws", { model: modelThat(fail) }],
    ["a model that rejects", { model: modelThat(() => Promise.reject(error)) }],
    ["an index that throws", { index: (port) => ({ ...port, search: atCall(10, port.search, fail) }) }],
    [
      "an index that rejects",
      { index: (port) => ({ ...port, search: atCall(10, port.search, () => Promise.reject(error)) }) },
    ],
    [
      "an observer that throws",
      {
        observers: [{ listen: atCall(300, () => {}, fail) }],
      },
    ],
  ])("%s", async (_, changes) => {
    const end = await run({ ...changes, toFile: true });
    expect(end).toMatchObject({ status: "failed", traceSha256: null });
    expect(end.error).toBe(error);
    expect(end.nowMs).toBeGreaterThan(0);
    expect(end.events).toBeGreaterThan(0);
    expect(readTrace(end.directory as string).footer).toBeNull();
  });

  it("a model whose answer nobody waits for any more does no harm", async () => {
    const control = new RunControl();
    const tooLate = () =>
      new Promise<never>((_, reject) => {
        setTimeout(() => control.stop(), 1);
        setTimeout(() => reject(error), 20);
      });
    const model = ({ identity, ask }: ModelPort): ModelPort => ({ identity, ask: atCall(20, ask, tooLate) });
    expect(await run({ model, control })).toMatchObject({ status: "interrupted: stopped", error: null });
    await new Promise((resolve) => setTimeout(resolve, 40));
  });

  it("at the command line: exit 1, one message, the status, no last line of the trace", async () => {
    const record = TapeWriter.prototype.record;
    let lines = 0;
    vi.spyOn(TapeWriter.prototype, "record").mockImplementation(function (this: TapeWriter, ...args) {
      if (++lines === 50) throw new Error("no space left on the disk");
      record.apply(this, args);
    });
    const out = join(web.folder, "failed");
    const { code, stderr } = await command("run", join(web.folder, "short.yaml"), "--no-view", "--out", out);
    expect(code).toBe(1);
    expect(stderr.split("\n").filter((line) => line.startsWith("awesim: "))).toEqual([
      "awesim: no space left on the disk",
    ]);
    expect(readJson<Record<string, unknown>>(out, "manifest.json")).toMatchObject({
      status: "failed",
      traceSha256: null,
    });
    expect(readTrace(out).footer).toBeNull();
    expect(readFileSync(join(out, "report.md"), "utf8")).toMatch(/^Failed at 00:0\d:\d\d/m);
  });
});

describe("A run that is stopped", () => {
  it("ends at once, even while it waits for an answer that never comes, and leaves a trace without a last line", async () => {
    const control = new RunControl();
    const model = ({ identity, ask }: ModelPort): ModelPort => ({
      identity,
      ask: atCall(20, ask, () => {
        setTimeout(() => control.stop(), 1);
        return new Promise<never>(() => {});
      }),
    });
    const end = await run({ model, control, toFile: true });
    expect(end).toMatchObject({ status: "interrupted: stopped", traceSha256: null, error: null });
    const trace = readTrace(end.directory as string);
    expect(trace.footer).toBeNull();
    expect(trace.facts.length).toBeGreaterThan(0);
    const whole = readTrace((await run({ toFile: true })).directory as string);
    expect(trace.facts).toEqual(whole.facts.slice(0, trace.facts.length));
  });

  it("before it begins does nothing", async () => {
    const control = new RunControl();
    control.stop();
    expect(await run({ control })).toMatchObject({ status: "interrupted: stopped", events: 0 });
  });

  it("while it is paused ends; one that is resumed goes on", async () => {
    const control = new RunControl();
    await control.mayGoOn(0);
    control.pause();
    let waits = true;
    const goesOn = control.mayGoOn(0).then(() => (waits = false));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(waits).toBe(true);
    control.resume();
    await goesOn;
    expect(control.paused).toBe(false);
    control.pause();
    const ends = control.mayGoOn(0);
    control.stop();
    await ends;
    expect(control.stopRequested).toBe(true);
  });
});
