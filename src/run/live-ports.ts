import type { Caller, Hit, IndexPort, ModelAnswer, ModelPort } from "../agents/ports.ts";
import type { ModelRequest } from "../agents/prompt.ts";
import { InputError } from "../errors.ts";
import type { AskedAhead } from "../models/asked-ahead.ts";
import { CallGate } from "../models/call-gate.ts";
import type { CallEnds } from "../models/openai.ts";
import { assumedModel } from "../models/assumed.ts";
import { recordedIndex, recordedModel } from "../models/recording.ts";
import { missingModel, tapedIndex, tapedModel } from "../models/replaying.ts";
import { surrogateModel } from "../models/surrogate/surrogate.ts";
import type { Retrieval } from "../retrieval/retrieval.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import { assistantPath } from "../scenario/schema.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import type { TapeWriter } from "../trace/tape-writer.ts";
import type { Purse } from "./budget.ts";
import type { RunInputs } from "./inputs.ts";
import type { CallCounts } from "./manifest.ts";
import type { OnMiss } from "./on-miss.ts";
import { namedInScenario } from "./name-in-scenario.ts";
import { pagePort } from "./pages.ts";
import { strategyNamed } from "./plugins.ts";
import type { RunPorts } from "./simulate.ts";

/**
 * The models of a scenario's assistants, null where a strategy uses none; after them the judge's, where there is one.
 * One port a model, shared by assistants.
 * @param calls ends the calls of an endpoint that nobody waits for any more
 * @param tries ends the second and later tries of calls only
 * @param offline no endpoint will be asked: none need be there
 */
export async function openModels(
  loaded: LoadedScenario,
  calls: AbortSignal = new AbortController().signal,
  tries: AbortSignal = calls,
  offline = false,
): Promise<(ModelPort | null)[]> {
  requireNoSecret(loaded);
  const opened = new Map<string, ModelPort>();
  const ports: (ModelPort | null)[] = [];
  for (const [index, { strategy, model }] of loaded.scenario.assistants.entries()) {
    const path = assistantPath(loaded.scenario, index);
    const { usesModel } = await namedInScenario(loaded, [...path, "strategy"], () => strategyNamed(loaded, strategy));
    if (usesModel) {
      const open = () => openModel(model, loaded, { calls, tries }, offline);
      if (!opened.has(model)) opened.set(model, await namedInScenario(loaded, [...path, "model"], open));
      ports.push(opened.get(model) as ModelPort);
    } else {
      ports.push(null);
    }
  }
  const { judge } = loaded.scenario;
  if (judge !== undefined) {
    ports.push(
      await namedInScenario(loaded, ["judge", "model"], () =>
        openModel(judge.model, loaded, { calls, tries }, offline),
      ),
    );
  }
  return ports;
}

async function openModel(name: string, loaded: LoadedScenario, ends: CallEnds, offline: boolean): Promise<ModelPort> {
  const [kind, ...rest] = name.split("/");
  const id = rest.join("/");
  if (kind === "surrogate") return surrogateModel(id);
  if (kind === "openai" && offline) return { identity: name, ask: () => Promise.reject(new Error("offline")) };
  if (kind === "openai") {
    const { endpoint } = loaded.scenario.models;
    const key = keyOf(loaded);
    const baseUrl = baseUrlOf(loaded);
    if (key === undefined && baseUrl === undefined) {
      throw new InputError(
        `${name} needs an endpoint: set ${endpoint.keyVariable} (a key) or ${endpoint.baseUrlVariable} (a server without one) in the environment`,
      );
    }
    const { openaiModel } = await import("../models/openai.ts");
    const { timeoutMs, thinkingOn, thinkingOff, stream, context } = endpoint;
    const how = { timeoutMs, thinkingOn, thinkingOff, stream, context };
    return openaiModel(id, { baseUrl, key, ...how, ends });
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

/** @throws InputError for a key that cannot be sent: it is pasted with a line break as often as not */
function keyOf({ scenario }: LoadedScenario): string | undefined {
  const { keyVariable } = scenario.models.endpoint;
  const key = process.env[keyVariable] || undefined;
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new InputError("expected a key of letters, digits and signs, without blanks and line breaks", {
    field: keyVariable,
  });
}

function baseUrlOf({ scenario }: LoadedScenario): string | undefined {
  const { baseUrl, baseUrlVariable } = scenario.models.endpoint;
  const url = baseUrl ?? (process.env[baseUrlVariable] || undefined);
  if (url === undefined || isAddress(url)) return url;
  throw new InputError("expected a URL such as http://localhost:8000/v1", { field: baseUrlVariable });
}

function isAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`); // throws for a broken escape
    return protocol === "http:" || protocol === "https:";
  } catch {
    return false;
  }
}

export interface LivePortsOptions {
  readonly inputs: RunInputs;
  readonly retrieval: Retrieval;
  readonly models: readonly (ModelPort | null)[];
  readonly tape: TapeWriter | null;
  /** What was recorded before: such answers are taken from there. */
  readonly recorded?: TapeReader | null;
  readonly calls: CallCounts;
  /** Another run's answers: what it was asked is not asked again. */
  readonly older?: Older | null;
  /** Counts what endpoints are paid for, and refuses calls. */
  readonly budget?: Purse | null;
  /** Through which the calls of endpoints go, and those of walks ahead of the run. */
  readonly gate?: CallGate;
  readonly ahead?: AskedAhead | null;
  readonly now: () => number;
}

/** The tape of an older run, and what becomes of requests that it lacks. */
export interface Older {
  readonly tape: TapeReader;
  readonly onMiss: OnMiss;
  /** Queries whose user agents keep their answers although the list of sites in their prompts is another one. */
  readonly keeps?: (query: string) => boolean;
}

/** Who answers in the place of an endpoint. */
export const standIn = "gemini-3-flash";

/** The ports of a run, and of walks ahead of it: there, a model that answers at once has no port. */
export interface LivePorts extends RunPorts {
  readonly walks: RunPorts;
}

/** Every new answer goes on the tape, where there is one, and is counted. */
export function livePorts(options: LivePortsOptions): LivePorts {
  const {
    inputs,
    retrieval,
    models,
    tape,
    recorded = null,
    older = null,
    calls,
    budget = null,
    ahead = null,
    now,
  } = options;
  const { scenario } = inputs.loaded;
  const gate = options.gate ?? new CallGate(scenario.models.endpoint.concurrency);
  const textOf = (sha256: string): string => {
    const text = retrieval.text(sha256);
    tape?.recordText(sha256, text);
    return text;
  };
  const taped = (model: ModelPort, found: () => void): ModelPort =>
    recorded === null ? model : tapedModel(model, recorded, found);
  const surrogate = (model: ModelPort): ModelPort => {
    const counted = countedModel(model, () => calls.surrogate++);
    return tape === null ? counted : recordedModel(counted, tape, false, now);
  };
  const live = (model: ModelPort, isAhead: boolean): ModelPort => {
    const paid = budget === null ? model : paidModel(model, budget);
    const asked = tape === null ? paid : recordedModel(paid, tape, true, now);
    const begin = (request: ModelRequest, caller: Caller) => async (): Promise<ModelAnswer> => {
      await budget?.begin();
      calls.live++;
      return asked.ask(request, caller);
    };
    return {
      identity: model.identity,
      ask: (request, caller) => gate.run(begin(request, caller), isAhead),
    };
  };
  /** Who is asked for what is on no tape. */
  const asked = (model: ModelPort, isAhead: boolean): ModelPort => {
    if (older?.onMiss === "error") return missingModel(model.identity, older.tape);
    if (isSurrogate(model)) return surrogate(model);
    return older?.onMiss === "surrogate" ? replaced(model.identity) : live(model, isAhead);
  };
  const replaced = (identity: string): ModelPort => {
    const other = surrogateModel(standIn);
    const counted = countedModel({ identity, ask: (request) => other.ask(request) }, () => calls.surrogate++);
    return tape === null ? counted : recordedModel(counted, tape, false, now, other.identity);
  };
  /** Takes answers of the older run over, onto the new tape too. */
  const takenOver = (model: ModelPort): ModelPort => {
    if (older === null) return model;
    const { keeps } = older;
    const note = (request: ModelRequest, caller: Caller, answer: ModelAnswer): void => {
      calls.tape++;
      const again = { identity: model.identity, ask: () => answer };
      if (tape !== null) void recordedModel(again, tape, false, now).ask(request, caller);
    };
    return tapedModel(keeps === undefined ? model : assumedModel(model, older.tape, keeps, note), older.tape, note);
  };
  const walked = (model: ModelPort): ModelPort => (older === null ? model : tapedModel(model, older.tape, () => {}));
  const ports = models.map((model) => {
    if (model === null) return null;
    const port = taped(takenOver(asked(model, false)), () => calls.tape++);
    return ahead === null || isSurrogate(model) ? port : ahead.takingModel(port);
  });
  const walksAhead = ahead !== null && (older === null || older.onMiss === "live");
  const isJudge = (index: number): boolean => index >= scenario.assistants.length; // asked when a query is over
  const walkers = models.map((model, index) =>
    model === null || !walksAhead || isSurrogate(model) || isJudge(index)
      ? null
      : ahead.layingModel(taped(walked(live(model, true)), () => {})),
  );
  const searched = searchPort(retrieval, scenario.agents.showUrl);
  const index = tape === null ? searched : recordedIndex(searched, inputs.indexIdentity, tape);
  const pages = pagePort(textOf);
  return {
    model: (assistant) => ports[assistant] ?? null,
    index: recorded === null ? index : tapedIndex(index, inputs.indexIdentity, recorded),
    pages,
    recordText: (sha256, text) => tape?.recordText(sha256, text),
    walks: { model: (assistant) => walkers[assistant] ?? null, index: searched, pages, recordText: () => {} },
  };
}

/** Whether a model answers at once and for free. */
export function isSurrogate({ identity }: Pick<ModelPort, "identity">): boolean {
  return identity.startsWith("surrogate/");
}

function searchPort(retrieval: Retrieval, showUrl: boolean): IndexPort {
  return {
    search: (query, site, k) => {
      const hits = retrieval.search(query, site, k);
      if (!showUrl) return hits;
      const withUrls = (found: readonly Hit[]) =>
        found.map((hit) => ({ ...hit, url: retrieval.document(hit.id)?.url ?? "" }));
      return hits instanceof Promise ? hits.then(withUrls) : withUrls(hits);
    },
    selectSites: (query, by, k) => retrieval.selectSites(query, by, k),
  };
}

function paidModel(model: ModelPort, budget: Purse): ModelPort {
  return {
    identity: model.identity,
    async ask(request, caller) {
      const answer = await model.ask(request, caller);
      budget.pay(model.identity, answer.usage);
      return answer;
    },
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
