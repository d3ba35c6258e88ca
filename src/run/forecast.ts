import type { ModelPort, Usage } from "../agents/ports.ts";
import { Streams } from "../kernel/random.ts";
import { modelRequestKey } from "../models/request-key.ts";
import { surrogateModel } from "../models/surrogate/surrogate.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import { type Arrival, arrivals } from "../scenario/population.ts";
import { tapeAddress } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import { RunControl } from "./control.ts";
import type { RunInputs } from "./inputs.ts";
import { isSurrogate, livePorts, standIn } from "./live-ports.ts";
import { simulate } from "./simulate.ts";

/** Queries that are walked for a forecast, spread over the run; fewer where there are fewer. */
const mostWalks = 40;

/** What a run will ask of endpoints, as far as one can tell: all figures are estimates. */
export interface Forecast {
  /** Queries whose assistant asks an endpoint, and how many of them were walked. */
  readonly queries: number;
  readonly walked: number;
  readonly calls: number;
  /** Calls that the older tape does not answer. */
  readonly misses: number;
  /** Tokens of the misses, by model. */
  readonly usage: ReadonlyMap<string, Usage>;
}

/**
 * Walks a sample of a run's queries, each alone, with a surrogate in the place of every endpoint and an older tape
 * before it, and scales up what they ask.
 */
export async function forecast(
  inputs: RunInputs,
  retrieval: Retrieval,
  models: readonly (ModelPort | null)[],
  older: TapeReader | null,
): Promise<Forecast> {
  const { scenario } = inputs.loaded;
  const live = (index: number): boolean => {
    const model = models[index] ?? null;
    return model !== null && !isSurrogate(model);
  };
  const all = [...arrivals(scenario, inputs.topics, new Streams(scenario.seed, inputs.replication))].filter((each) =>
    live(each.assistant),
  );
  const every = Math.max(1, Math.ceil(all.length / mostWalks));
  const sample = all.filter((_, index) => index % every === 0);
  const scale = sample.length === 0 ? 0 : all.length / sample.length;
  const counts = { calls: 0, misses: 0 };
  const usage = new Map<string, Usage>();
  const surrogate = surrogateModel(standIn);
  const walker = (model: ModelPort): ModelPort => ({
    identity: model.identity,
    ask(request, caller) {
      counts.calls++;
      const line = older?.get(tapeAddress({ key: modelRequestKey(model.identity, request), caller, ordinal: 0 }));
      if (line !== undefined) return line.answer as ReturnType<typeof surrogate.ask>;
      counts.misses++;
      const answer = surrogate.ask(request);
      add(usage, model.identity, answer.usage, scale);
      return answer;
    },
  });
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const ports = livePorts({ inputs, retrieval, models: [], tape: null, calls, now: () => 0 });
  const walkers = models
    .slice(0, scenario.assistants.length) // a judge's calls are not forecast
    .map((model) => (model === null || isSurrogate(model) ? null : walker(model)));
  const walkPorts = { ...ports, model: (assistant: number) => walkers[assistant] ?? null };
  for (const arrival of sample) await walk(inputs, walkPorts, arrival);
  const scaled = (count: number): number => Math.round(count * scale);
  return {
    queries: all.length,
    walked: sample.length,
    calls: scaled(counts.calls),
    misses: scaled(counts.misses),
    usage,
  };
}

async function walk(inputs: RunInputs, ports: ReturnType<typeof livePorts>, arrival: Arrival): Promise<void> {
  const control = new RunControl();
  await simulate({ inputs, ports, control, listeners: [], onTurn: () => {}, arrivals: [arrival] });
}

function add(usage: Map<string, Usage>, model: string, more: Usage, scale: number): void {
  const sum = usage.get(model) ?? { promptTokens: 0, completionTokens: 0, thoughtTokens: 0 };
  usage.set(model, {
    promptTokens: sum.promptTokens + scale * more.promptTokens,
    completionTokens: sum.completionTokens + scale * more.completionTokens,
    thoughtTokens: sum.thoughtTokens + scale * more.thoughtTokens,
  });
}
