import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { InputError } from "../../src/errors.ts";
import { type LoadOptions, loadScenario } from "../../src/scenario/load.ts";

/** A scenario with a value of each kind; tests replace single lines of it. */
export const fullScenario = `name: one-day
seed: 7
corpus: atlas
until: 24h
horizon: { steady-state: { warm-up: 2h, cool-down: 30m } }
population:
  users: 500
  arrivals: { process: poisson, rate: 200/h }
  interests: { topics: zipf, exponent: 1.1 }
  tasks: { web-search: 3, question-answering: 1 }
assistants:
  - { share: 0.6, strategy: multi-agent, model: surrogate/gemini-3-flash, name: big }
  - { share: 0.3, strategy: classical, model: openai/x, thinking: false }
retrieval: { index: dense, embedder: hashing, documents-per-site: 5 }
agents: { turns: 9, summary-reminder: off, request-timeout: 1.5m }
models:
  latency: { distribution: exponential, mean: 2s }
  endpoint: { base-url: "http://localhost:1234/v1", concurrency: 8 }
sites:
  default: { capacity: 4, latency: { distribution: uniform, low: 100ms, high: 300ms }, queue-limit: 9 }
  docs.example: { capacity: unlimited }
interventions:
  - { at: 12h, remove: [brightnews.example] }
  - { at: 8h, outage: encyclopedia.example, for: 2h }
  - { at: 12h, set: { site: docs.example, latency: 3s } }
statistics: { window: 2h }
`;

/** A folder for one test file, gone when it ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "awesim-scenario-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    write(name: string, text: string): string {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
  };
}

/** The error that loading gives, or undefined. Anything but an `InputError` is thrown on. */
export function loadingError(file: string, options: LoadOptions = {}): InputError | undefined {
  try {
    loadScenario(file, options);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
