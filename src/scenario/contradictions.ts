import { siteIdSchema } from "../corpora/format.ts";
import type { ScenarioDocument } from "./document.ts";
import type { Path } from "./path.ts";
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
  for (const [index, intervention] of document.interventions.entries()) {
    if (!("set" in intervention) || Object.keys(intervention.set).length > 1) continue;
    yield { path: ["interventions", index, "set"], message: "changes nothing; give capacity or latency" };
  }
  for (const id of Object.keys(document.sites)) {
    if (id === "default" || siteIdSchema.safeParse(id).success) continue;
    const message = `unknown key "${id}"; expected default, or a site id: a host name such as encyclopedia.example`;
    yield { path: ["sites", id], message };
  }
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
