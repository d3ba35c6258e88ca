import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelPort } from "../../src/agents/ports.ts";
import { surrogateModel } from "../../src/models/surrogate/surrogate.ts";
import { type Cell, cellScenario } from "../../src/run/bench/plan.ts";
import type { Retrieval } from "../../src/retrieval/retrieval.ts";
import { worldDirectory } from "../../src/run/bench/worlds.ts";
import { RunControl } from "../../src/run/control.ts";
import { gatherInputs } from "../../src/run/gather.ts";
import { livePorts } from "../../src/run/live-ports.ts";
import { type RunPorts, simulate } from "../../src/run/simulate.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { type QueryRow, QueryLedger } from "../../src/statistics/query-ledger.ts";
import type { RunInputs } from "../../src/run/inputs.ts";

/** A figure, and how far chance in the choice of topics alone may put it off, relative to its size. */
export interface Figure {
  readonly value: number;
  readonly relativeError: number;
}

export interface EvaluatorOptions {
  readonly corpus: string;
  readonly cacheDirectory: string;
  readonly worlds: readonly number[];
  readonly tasks: readonly string[];
  readonly strategies: readonly string[];
  readonly queries: number;
}

interface Arena {
  readonly task: string;
  readonly strategy: string;
  readonly inputs: RunInputs;
  readonly ports: RunPorts;
}

/** Runs profiles on fixed topics and worlds with fixed draws: a profile's figures are a function of the profile. */
export class Evaluator {
  readonly #folder: string;
  readonly #arenas: readonly Arena[];
  readonly #close: () => void;
  #model: ModelPort | null = null;

  private constructor(folder: string, build: (model: ModelPort) => { arenas: Arena[]; close: () => void }) {
    this.#folder = folder;
    const current = (): ModelPort => this.#model as ModelPort;
    const { arenas, close } = build({ identity: "surrogate/under-test", ask: (...asked) => current().ask(...asked) });
    this.#arenas = arenas;
    this.#close = close;
  }

  static async open({ corpus, cacheDirectory, worlds, tasks, strategies, queries }: EvaluatorOptions) {
    const folder = mkdtempSync(join(tmpdir(), "awesim-calibration-"));
    const gathered: (Pick<Arena, "task" | "strategy" | "inputs"> & { retrieval: Retrieval })[] = [];
    for (const world of worlds) {
      const directory = worldDirectory(corpus, world, cacheDirectory, () => {});
      for (const task of tasks) {
        for (const strategy of strategies) {
          const cell: Cell = {
            task,
            strategy,
            model: "surrogate/qwen3-4b",
            retrieval: "dense",
            thinking: true,
            world,
            replication: 0,
          };
          const file = join(folder, "scenario.yaml");
          const setting = { corpus: directory, queries, embedder: "sentence", endpointConcurrency: 1, judge: null };
          writeFileSync(file, cellScenario(cell, setting));
          const loaded = loadScenario(file);
          const { inputs, retrieval } = await gatherInputs({
            loaded,
            promptsDirectory: null,
            cacheDirectory,
            replication: 0,
            progress: () => {},
          });
          gathered.push({ task, strategy, inputs, retrieval });
        }
      }
    }
    return new Evaluator(folder, (model) => ({
      arenas: gathered.map(({ task, strategy, inputs, retrieval }) => {
        const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
        const ports = livePorts({ inputs, retrieval, models: [model], tape: null, calls, now: () => 0 });
        return { task, strategy, inputs, ports };
      }),
      close: () => {
        for (const { retrieval } of gathered) retrieval.close();
      },
    }));
  }

  /** The queries of a profile, by task and strategy. */
  async rows(profile: string): Promise<Map<string, QueryRow[]>> {
    const file = join(this.#folder, "profile.yaml");
    writeFileSync(file, profile);
    this.#model = surrogateModel(file);
    const result = new Map<string, QueryRow[]>();
    for (const { task, strategy, inputs, ports } of this.#arenas) {
      const key = `${task} ${strategy}`;
      const rows = result.get(key) ?? [];
      result.set(key, rows);
      const ledger = new QueryLedger(
        () => true,
        (row) => rows.push(row),
      );
      const control = new RunControl();
      const end = await simulate({ inputs, ports, control, listeners: [ledger.listen], onTurn: () => {} });
      if (!end.completed) throw end.failure?.error ?? new Error("the run did not complete");
    }
    return result;
  }

  close(): void {
    this.#close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** The figures that were published of multi-agent runs, under the names of the calibration table. */
export function figuresOf(rows: readonly QueryRow[]): Record<string, Figure> {
  const sum = (of: (row: QueryRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const n = rows.length;
  const turns = sum(({ turns: each }) => each);
  const requests = sum(({ requests: each }) => each);
  const contacted = sum(({ measures }) => 1 - (measures?.["lossNotSelected"] ?? 0));
  const lost = sum(({ measures }) =>
    ["lossNotSelected", "lossNotRetrieved", "lossNotReturned", "lossNotRanked"].reduce(
      (total, name) => total + (measures?.[name] ?? 0),
      0,
    ),
  );
  const ratio = (a: number, b: number): Figure => ({ value: b === 0 ? 0 : a / b, relativeError: 0 });
  const share = (a: number, b: number): Figure => ({
    value: b === 0 ? 0 : a / b,
    relativeError: Math.sqrt((1 - a / Math.max(1, b)) / Math.max(1, a)),
  });
  return {
    turns: ratio(turns, n),
    agents: ratio(
      sum(({ sites }) => sites.length),
      n,
    ),
    requests: ratio(requests, n),
    userValidity: ratio(
      sum(({ validTurns }) => validTurns),
      turns,
    ),
    contentTurns: ratio(
      sum(({ contentTurns }) => contentTurns),
      requests,
    ),
    contentValidity: ratio(
      sum(({ nonEmptyReturns }) => nonEmptyReturns),
      requests,
    ),
    siteContacted: share(contacted, n),
    returnedGivenContact: share(n - lost, contacted),
  };
}

export function meanOf(rows: readonly QueryRow[], measure: string): number {
  const values = rows.flatMap(({ measures }) => measures?.[measure] ?? []);
  return values.length === 0 ? Number.NaN : values.reduce((total, value) => total + value, 0) / values.length;
}
