import type { Hit, IndexPort, ModelPort } from "../agents/ports.ts";
import { InputError } from "../errors.ts";
import { type Limit, limiter } from "../models/limiter.ts";
import { recordedIndex, recordedModel } from "../models/recording.ts";
import { tapedIndex, tapedModel } from "../models/replaying.ts";
import { surrogateModel } from "../models/surrogate/surrogate.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import type { TapeWriter } from "../trace/tape-writer.ts";
import type { RunInputs } from "./inputs.ts";
import type { CallCounts } from "./manifest.ts";
import { namedInScenario } from "./name-in-scenario.ts";
import { pagePort } from "./pages.ts";
import { strategyNamed } from "./plugins.ts";
import type { RunPorts } from "./simulate.ts";

/**
 * The models of a scenario's assistants; null where a strategy uses none. One port a model, shared by assistants.
 * `signal` ends the calls of an endpoint that nobody waits for any more.
 */
export async function openModels(
  loaded: LoadedScenario,
  signal: AbortSignal = new AbortController().signal,
): Promise<(ModelPort | null)[]> {
  requireNoSecret(loaded);
  const opened = new Map<string, ModelPort>();
  const limit = limiter(loaded.scenario.models.endpoint.concurrency);
  const ports: (ModelPort | null)[] = [];
  for (const [index, { strategy, model }] of loaded.scenario.assistants.entries()) {
    const { usesModel } = await namedInScenario(loaded, ["assistants", index, "strategy"], () =>
      strategyNamed(loaded, strategy),
    );
    if (usesModel) {
      const open = () => openModel(model, loaded, limit, signal);
      if (!opened.has(model)) opened.set(model, await namedInScenario(loaded, ["assistants", index, "model"], open));
      ports.push(opened.get(model) as ModelPort);
    } else {
      ports.push(null);
    }
  }
  return ports;
}

async function openModel(name: string, loaded: LoadedScenario, limit: Limit, signal: AbortSignal): Promise<ModelPort> {
  const [kind, ...rest] = name.split("/");
  const id = rest.join("/");
  if (kind === "surrogate") return surrogateModel(id);
  if (kind === "openai") {
    const { endpoint } = loaded.scenario.models;
    const key = process.env[endpoint.keyVariable];
    const baseUrl = baseUrlOf(loaded);
    if (key === undefined && baseUrl === undefined) {
      throw new InputError(
        `${name} needs an endpoint: set ${endpoint.keyVariable} (a key) or ${endpoint.baseUrlVariable} (a server without one) in the environment`,
      );
    }
    const { openaiModel } = await import("../models/openai.ts");
    const { timeoutMs, thinkingOn, thinkingOff, stream, context } = endpoint;
    const how = { timeoutMs, thinkingOn, thinkingOff, stream, context };
    return openaiModel(id, { baseUrl, key: key ?? "none", ...how, limit, signal });
  }
  throw new InputError(`expected a model such as surrogate/qwen3-4b or openai/<model>, got ${JSON.stringify(name)}`);
}

/** A scenario is copied into the run's directory: it must name no secret, only the variables that hold them. */
function requireNoSecret({ scenario, place }: LoadedScenario): void {
  const { baseUrl, baseUrlVariable, keyVariable } = scenario.models.endpoint;
  const fault = (key: string, message: string) => new InputError(message, place(["models", "endpoint", key]));
  const { username, password, search } = new URL(baseUrl ?? "http://none");
  if (`${username}${password}${search}` !== "") {
    const instead = `give such a URL in the environment, as ${baseUrlVariable}`;
    throw fault("base-url", `expected a URL without user name, password and query; ${instead}`);
  }
  const isName = (variable: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable);
  const expected = "expected the name of an environment variable, not what it holds";
  if (!isName(keyVariable)) throw fault("key-variable", expected);
  if (!isName(baseUrlVariable)) throw fault("base-url-variable", expected);
}

function baseUrlOf({ scenario }: LoadedScenario): string | undefined {
  const { baseUrl, baseUrlVariable } = scenario.models.endpoint;
  const url = baseUrl ?? (process.env[baseUrlVariable] || undefined);
  if (url === undefined || URL.canParse(url)) return url;
  throw new InputError("expected a URL such as http://localhost:8000/v1", { field: baseUrlVariable });
}

/** The ports of a run: every new answer goes on the tape, where there is one, and is counted. */
export function livePorts(options: {
  inputs: RunInputs;
  retrieval: Retrieval;
  models: readonly (ModelPort | null)[];
  tape: TapeWriter | null;
  /** What was recorded before the run was interrupted: such answers are taken from there. */
  recorded?: TapeReader | null;
  calls: CallCounts;
  now: () => number;
}): RunPorts {
  const { inputs, retrieval, models, tape, recorded = null, calls, now } = options;
  const textOf = (sha256: string): string => {
    const text = retrieval.text(sha256);
    tape?.recordText(sha256, text);
    return text;
  };
  const ports = models.map((model) => {
    if (model === null) return null;
    const isSurrogate = model.identity.startsWith("surrogate/");
    const counted = countedModel(model, () => calls[isSurrogate ? "surrogate" : "live"]++);
    const asked = tape === null ? counted : recordedModel(counted, tape, !isSurrogate, now);
    return recorded === null ? asked : tapedModel(asked, recorded, () => calls.tape++);
  });
  const { indexIdentity } = inputs;
  const searched: IndexPort = {
    search: (query, site, k) => {
      const hits = retrieval.search(query, site, k);
      if (!inputs.loaded.scenario.agents.showUrl) return hits;
      const withUrls = (found: readonly Hit[]) =>
        found.map((hit) => ({ ...hit, url: retrieval.document(hit.id)?.url ?? "" }));
      return hits instanceof Promise ? hits.then(withUrls) : withUrls(hits);
    },
    selectSites: (query, by, k) => retrieval.selectSites(query, by, k),
  };
  const index = tape === null ? searched : recordedIndex(searched, indexIdentity, tape);
  return {
    model: (assistant) => ports[assistant] ?? null,
    index: recorded === null ? index : tapedIndex(index, indexIdentity, recorded),
    pages: pagePort(textOf),
    recordText: (sha256, text) => tape?.recordText(sha256, text),
  };
}

function countedModel(model: ModelPort, count: () => void): ModelPort {
  return {
    identity: model.identity,
    ask(request, caller) {
      count();
      return model.ask(request, caller);
    },
  };
}
