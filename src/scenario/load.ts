import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { InputError } from "../errors.ts";
import { type AddedSite, readAddedSite } from "./added-site.ts";
import { contradictions } from "./contradictions.ts";
import { documentSchema, type ScenarioDocument } from "./document.ts";
import { formatPath, type Path, parsePath, valueAt, withValue } from "./path.ts";
import { type Problem, problemsOf } from "./problem.ts";
import { type Scenario, toScenario } from "./schema.ts";
import { type Plugin, readPlugin } from "./plugin.ts";
import { withProtocol } from "./protocol.ts";
import { readSource, readText, type Source } from "./source.ts";
import { durationMs, formatDuration } from "./units.ts";

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** The scenario in the words of its file, every default and setting filled in. */
  readonly document: ScenarioDocument;
  /** The user's own modules, in the order of the scenario. */
  readonly plugins: readonly Plugin[];
  /** The text of the file. */
  readonly source: string;
  /**
   * The document as YAML: it loads to the same scenario. Of other files it needs those of added sites and
   * plugins, beside it in `added/` and `plugins/`.
   */
  readonly resolved: string;
  /**
   * Of the scenario's canonical JSON: what is written differently but means the same has the same hash. Where and how
   * an endpoint is reached is no part of it.
   */
  readonly sha256: string;
  readonly file: string;
  /** The sites that interventions add, and those that enter by themselves. */
  readonly added: readonly AddedSite[];
  /** Interventions left out because the command line ends the run before them. */
  readonly skippedInterventions: number;
  /** For errors found later: where the value at a path of the document was given. */
  place(path: Path): Place;
}

export interface LoadOptions {
  /** `path=value`, the value in YAML: `population.users=500`, `assistants[0].model=openai/x`, `sites[a.example].capacity=2`. */
  readonly set?: readonly string[];
  /** Stronger than `set`; model and strategy hold for every assistant. */
  readonly overrides?: {
    readonly seed?: number | string;
    readonly until?: string;
    readonly model?: string;
    readonly strategy?: string;
  };
}

function withoutEndpoint({ models: { latency }, ...rest }: Scenario): unknown {
  return { ...rest, models: { latency } };
}

type Place = ConstructorParameters<typeof InputError>[1] & object;

interface Setting {
  readonly path: Path;
  readonly value: unknown;
  /** The option of the command line, as it was given. */
  readonly option: string;
}

/** Reads and checks a scenario. Throws `InputError` for the first thing in the file that is wrong. */
export function loadScenario(file: string, { set = [], overrides = {} }: LoadOptions = {}): LoadedScenario {
  const source = readSource(file);
  const fromSet = set.map(parseSetting);
  const settings = [...fromSet, ...overrideSettings(overrides, fromSet.reduce(apply, source.data))];
  const place = (path: Path): Place => placeOf(path, source, settings);
  const { data: complete, plugins } = withPlugins(settings.reduce(apply, source.data), file, place);
  const given = withArrivalTimes(complete, file, place);
  const { data, skipped } = overrides.until === undefined ? { data: given, skipped: 0 } : withoutLater(given);
  const document = check(withProtocol(data), source, place);
  const added = readAddedSites(document, file, place);
  const entrants = readEntrants(document, added, file, place);
  const scenario = toScenario(document, plugins, added, entrants);
  return {
    scenario,
    document,
    plugins,
    source: source.text,
    resolved: stringify(withAddedFiles(document, added, entrants), { lineWidth: 120, aliasDuplicateObjects: false }),
    sha256: createHash("sha256")
      .update(canonicalJson(withoutEndpoint(scenario)))
      .digest("hex"),
    file,
    added: [...added.values(), ...entrants],
    skippedInterventions: skipped,
    place,
  };
}

/** A run that is made shorter on the command line does without the interventions that come after its end. */
function withoutLater(data: unknown): { data: unknown; skipped: number } {
  const until = valueAt(data, ["until"]);
  const interventions = valueAt(data, ["interventions"]);
  if (!Array.isArray(interventions)) return { data, skipped: 0 };
  const end = timeOf(until);
  const kept = interventions.filter((each: unknown) => !(timeOf(valueAt(each, ["at"])) > end));
  return { data: { ...(data as object), interventions: kept }, skipped: interventions.length - kept.length };
}

/** NaN for what is no duration: the check of the whole document will say so. */
function timeOf(value: unknown): number {
  return typeof value === "string" || value === 0 ? durationMs(value) : Number.NaN;
}

function check(data: unknown, source: Source, place: (path: Path) => Place): ScenarioDocument {
  const result = documentSchema.safeParse(data);
  const problems = result.success ? [...contradictions(result.data)] : problemsOf(result.error, data);
  if (result.success && problems.length === 0) return result.data;
  // A missing key comes last: an unknown key beside it is often the better thing to tell.
  const order = ({ path, missing }: Problem) => (missing ? Infinity : source.locate(path).line);
  const first = problems.reduce((a, b) => (order(b) < order(a) ? b : a));
  throw new InputError(first.message, place(first.path));
}

function parseSetting(text: string): Setting {
  const option = `--set ${text}`;
  const equals = text.indexOf("=");
  const path = equals < 0 ? undefined : parsePath(text.slice(0, equals));
  if (path === undefined) {
    throw new InputError("expected path=value, such as population.users=500 or assistants[0].share=0.3", {
      field: option,
    });
  }
  return { path, value: parseValue(text.slice(equals + 1), option), option };
}

function parseValue(text: string, option: string): unknown {
  try {
    return parse(text, { prettyErrors: false });
  } catch (reason) {
    throw new InputError(`expected a value in YAML: ${(reason as Error).message}`, { field: option });
  }
}

function overrideSettings(overrides: NonNullable<LoadOptions["overrides"]>, data: unknown): Setting[] {
  const { seed, until, model, strategy } = overrides;
  const assistants = valueAt(data, ["assistants"]);
  const indexes = Array.isArray(assistants) ? [...assistants.keys()] : [];
  const forAll = (key: string, value: string | undefined): Setting[] =>
    value === undefined
      ? []
      : indexes.map((index) => ({ path: ["assistants", index, key], value, option: `--${key} ${value}` }));
  return [
    ...(seed === undefined
      ? []
      : [{ path: ["seed"], value: parseValue(String(seed), `--seed ${seed}`), option: `--seed ${seed}` }]),
    ...(until === undefined ? [] : [{ path: ["until"], value: until, option: `--until ${until}` }]),
    ...forAll("model", model),
    ...forAll("strategy", strategy),
  ];
}

function apply(data: unknown, { path, value, option }: Setting): unknown {
  const changed = withValue(data, path, value);
  if (changed !== undefined) return changed;
  throw new InputError("the path leads to nothing that can be set; indexes are for lists, keys for mappings", {
    field: option,
  });
}

function placeOf(path: Path, { file, locate }: Source, settings: readonly Setting[]): Place {
  const { line, whole } = locate(path);
  const field = formatPath(path);
  const setting =
    settings.findLast((candidate) => isPrefix(candidate.path, path)) ??
    (whole ? undefined : settings.find((candidate) => isPrefix(path, candidate.path)));
  if (setting === undefined) return field === "" ? { file, line } : { file, line, field };
  return { field: setting.path.length < path.length ? `${setting.option}: ${field}` : setting.option };
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.every((part, depth) => path[depth] === part);
}

/** The data with a trace's arrival times in place of the file that holds them. */
function withArrivalTimes(data: unknown, scenarioFile: string, place: (path: Path) => Place): unknown {
  const path = ["population", "arrivals"];
  const arrivals = valueAt(data, path) as { process?: unknown; file?: unknown; times?: unknown } | undefined;
  if (arrivals?.process !== "trace" || typeof arrivals.file !== "string" || arrivals.times !== undefined) {
    return data;
  }
  const file = resolve(dirname(scenarioFile), arrivals.file);
  const times: string[] = [];
  for (const [index, line] of readText(file).split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === "") continue;
    const ms = /^\d+$/.test(text) ? Number(text) : durationMs(text);
    if (!Number.isSafeInteger(ms)) {
      const message = `expected a time in whole milliseconds, or a duration such as 3s, got "${text}"`;
      throw new InputError(message, { file, line: index + 1 });
    }
    times.push(formatDuration(ms));
  }
  if (times.length === 0) throw new InputError(`${file} holds no arrival time`, place([...path, "file"]));
  const { file: _file, ...others } = arrivals;
  return withValue(data, path, { ...others, times });
}

/** The plugins, and the data with the names that they have among a run's inputs. */
function withPlugins(
  data: unknown,
  scenarioFile: string,
  place: (path: Path) => Place,
): { data: unknown; plugins: readonly Plugin[] } {
  const paths = valueAt(data, ["plugins"]);
  if (!Array.isArray(paths) || !paths.every((each) => typeof each === "string")) return { data, plugins: [] };
  const plugins = paths.map((path, index) => toldAt(place(["plugins", index]), () => readPlugin(path, scenarioFile)));
  const names = plugins.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) throw new InputError("two plugins have the same file name; rename one", place(["plugins", twice]));
  return {
    data: withValue(
      data,
      ["plugins"],
      names.map((name) => `plugins/${name}`),
    ),
    plugins,
  };
}

/** An InputError that names no place is told with this one. */
function toldAt<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isPlaceless = error instanceof InputError && Object.keys(error.where).length === 0;
    throw isPlaceless ? new InputError(error.message, place) : error;
  }
}

/** The sites that interventions add, by the intervention's index. */
function readAddedSites(
  { interventions }: ScenarioDocument,
  scenarioFile: string,
  place: (path: Path) => Place,
): Map<number, AddedSite> {
  const added = new Map<number, AddedSite>();
  const known = new Set<string>();
  for (const [index, intervention] of interventions.entries()) {
    if (!("add" in intervention)) continue;
    const read = readAddedSite(resolve(dirname(scenarioFile), intervention.add));
    if (known.has(read.site.id)) {
      throw new InputError(`${read.site.id} is added already`, place(["interventions", index, "add"]));
    }
    known.add(read.site.id);
    added.set(index, read);
  }
  return added;
}

/** The sites that enter by themselves, in their order. */
function readEntrants(
  { sites: { economy } }: ScenarioDocument,
  added: ReadonlyMap<number, AddedSite>,
  scenarioFile: string,
  place: (path: Path) => Place,
): AddedSite[] {
  const known = new Set([...added.values()].map(({ site }) => site.id));
  return (economy?.entrants ?? []).map((file, index) => {
    const read = readAddedSite(resolve(dirname(scenarioFile), file));
    if (known.has(read.site.id)) {
      throw new InputError(`${read.site.id} is added already`, place(["sites", "economy", "entrants", index]));
    }
    known.add(read.site.id);
    return read;
  });
}

function withAddedFiles(
  document: ScenarioDocument,
  added: ReadonlyMap<number, AddedSite>,
  entrants: readonly AddedSite[],
): ScenarioDocument {
  const interventions = document.interventions.map((each, index) => {
    const site = added.get(index);
    return site === undefined ? each : { ...each, add: `added/${site.site.id}.yaml` };
  });
  const { economy } = document.sites;
  const files = entrants.map(({ site }) => `added/${site.id}.yaml`);
  const sites =
    economy === undefined ? document.sites : { ...document.sites, economy: { ...economy, entrants: files } };
  return { ...document, sites, interventions } as ScenarioDocument;
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
