import { siteIdSchema } from "../corpora/format.ts";
import type { ScenarioDocument } from "./document.ts";
import { unknownName } from "./nearest.ts";
import type { Path } from "./path.ts";
import type { BlocksDocument } from "./site-document.ts";
import { durationMs } from "./units.ts";

interface Contradiction {
  readonly path: Path;
  readonly message: string;
}

/** What is wrong with a document whose single values are all possible. */
export function* contradictions(document: ScenarioDocument): Generator<Contradiction> {
  yield* inTime(document);
  yield* inShares(document);
  yield* inArrivals(document.population.arrivals);
  yield* inInterventions(document);
  yield* inBlocks(document);
  for (const id of Object.keys(document.sites)) {
    if (id === "default" || id === "economy" || siteIdSchema.safeParse(id).success) continue;
    const message = `unknown key "${id}"; expected default, economy, or a site id: a host name such as encyclopedia.example`;
    yield { path: ["sites", id], message };
  }
}

function* inInterventions({ interventions, assistants, population }: ScenarioDocument): Generator<Contradiction> {
  const names = assistants.flatMap(({ name }) => name ?? []);
  const { process } = population.arrivals;
  for (const [index, intervention] of interventions.entries()) {
    const path = ["interventions", index];
    if ("topic-shock" in intervention) {
      const { topics, "gold-sites": sites } = intervention["topic-shock"];
      if ((topics === undefined) === (sites === undefined)) {
        yield { path: [...path, "topic-shock"], message: "needs either topics or gold-sites" };
      }
    }
    if (("topic-shock" in intervention || "demand" in intervention) && process === "every-topic") {
      const message = "every-topic arrivals bring each topic once, whatever the demand; choose another process";
      yield { path: [...path, "for"], message };
    }
    if (!("set" in intervention)) continue;
    const { set } = intervention;
    if ("site" in set && Object.keys(set).length === 1) {
      yield { path: [...path, "set"], message: "changes nothing; give capacity, latency, queue-limit or blocks" };
    }
    if ("population" in set) yield* inSetPopulation(set.population, process, [...path, "set", "population"]);
    if (!("assistant" in set)) continue;
    if (Object.keys(set).length === 1) {
      yield { path: [...path, "set"], message: "changes nothing; give share, strategy, model or thinking" };
    }
    if (!names.includes(set.assistant)) {
      yield { path: [...path, "set", "assistant"], message: unknownAssistant(set.assistant, names) };
    }
  }
}

type SetPopulation = Extract<
  Extract<ScenarioDocument["interventions"][number], { set: unknown }>["set"],
  { population: unknown }
>["population"];

function* inSetPopulation({ rate, interests, tasks }: SetPopulation, process: string, path: Path) {
  if (rate === undefined && interests === undefined && tasks === undefined) {
    yield { path, message: "changes nothing; give rate, interests or tasks" };
  }
  if (rate !== undefined && process !== "poisson" && process !== "diurnal") {
    yield {
      path: [...path, "rate"],
      message: `the arrivals are ${process}: only poisson and diurnal arrivals have a rate to set`,
    };
  } else if (process === "every-topic") {
    yield { path, message: "every-topic arrivals bring each topic once; choose another process" };
  }
  if (tasks !== undefined && Object.values(tasks).every((share) => share === undefined || share === 0)) {
    yield { path: [...path, "tasks"], message: "the shares sum to 0; expected one above 0" };
  }
}

/** A name that no assistant has would block nobody. */
function* inBlocks({ sites, interventions, assistants }: ScenarioDocument): Generator<Contradiction> {
  const names = assistants.flatMap(({ name }) => name ?? []);
  const places: [Path, BlocksDocument | undefined][] = [
    ...Object.entries(sites).map(([id, site]): [Path, BlocksDocument | undefined] => [
      ["sites", id, "blocks"],
      site !== undefined && "blocks" in site ? site.blocks : undefined,
    ]),
    ...interventions.map((each, index): [Path, BlocksDocument | undefined] => [
      ["interventions", index, "set", "blocks"],
      "set" in each && "site" in each.set ? each.set.blocks : undefined,
    ]),
  ];
  for (const [path, blocks] of places) {
    if (typeof blocks !== "object") continue;
    if (blocks.strategy === undefined && blocks.assistant === undefined) {
      yield { path, message: "names nobody; give strategy or assistant, or write agents" };
    }
    const unknown = [blocks.assistant ?? []].flat().find((name) => !names.includes(name));
    if (unknown !== undefined) yield { path: [...path, "assistant"], message: unknownAssistant(unknown, names) };
  }
}

function unknownAssistant(name: string, names: readonly string[]): string {
  if (names.length > 0) return unknownName("assistant", name, names);
  return `no assistant has the name "${name}"; give the one that is meant a name`;
}

function* inTime({ until, horizon, population, interventions }: ScenarioDocument): Generator<Contradiction> {
  if (until === undefined) {
    if (population.arrivals.process !== "every-topic") {
      yield {
        path: ["until"],
        message: "is missing: only every-topic arrivals end by themselves; give a duration such as 24h",
      };
    } else if (horizon !== "terminating") {
      yield { path: ["until"], message: "is missing: a steady-state horizon needs an end, a duration such as 24h" };
    }
    return;
  }
  if (horizon !== "terminating") {
    const { "warm-up": warmUp, "cool-down": coolDown } = horizon["steady-state"];
    if (durationMs(warmUp) + durationMs(coolDown) >= durationMs(until)) {
      const message = `warm-up (${warmUp}) and cool-down (${coolDown}) leave nothing of until (${until}); shorten them`;
      yield { path: ["horizon", "steady-state", "warm-up"], message };
    }
  }
  for (const [index, { at }] of interventions.entries()) {
    if (durationMs(at) <= durationMs(until)) continue;
    yield { path: ["interventions", index, "at"], message: `expected a time not after until (${until}), got ${at}` };
  }
}

function* inShares({ assistants, population }: ScenarioDocument): Generator<Contradiction> {
  const withShare = assistants.filter(({ share }) => share !== undefined);
  const without = assistants.findIndex(({ share }) => share === undefined);
  if (withShare.length > 0 && without >= 0) {
    yield { path: ["assistants", without], message: "share is missing: give every assistant a share, or none" };
  }
  if (without < 0 && withShare.every(({ share }) => share === 0)) {
    yield { path: ["assistants"], message: "the shares sum to 0; expected one above 0" };
  }
  const names = assistants.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (name === undefined || names.indexOf(name) === index) continue;
    yield { path: ["assistants", index, "name"], message: `"${name}" is the name of an earlier assistant too` };
  }
  if (Object.values(population.tasks).every((share) => share === undefined || share === 0)) {
    yield { path: ["population", "tasks"], message: "the shares sum to 0; expected one above 0" };
  }
}

function* inArrivals(arrivals: ScenarioDocument["population"]["arrivals"]): Generator<Contradiction> {
  if (arrivals.process !== "trace") return;
  const path = ["population", "arrivals"];
  if ((arrivals.file === undefined) === (arrivals.times === undefined)) {
    yield { path, message: "a trace needs either file, with one time a line, or times" };
  } else if (arrivals.times?.length === 0) {
    yield { path: [...path, "times"], message: "expected at least one time" };
  }
}
