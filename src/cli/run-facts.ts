import type { RunFacts } from "../report/run-description.ts";
import type { RunInputs } from "../run/inputs.ts";
import type { Scenario } from "../scenario/schema.ts";
import { strategyNamed } from "../run/plugins.ts";
import { durationText } from "../report/units.ts";

/** What a run is, in the words of its pages. */
export function runFacts({ loaded, corpus, sites, prompts, vectorsSha256, indexIdentity }: RunInputs): RunFacts {
  const { scenario } = loaded;
  const { population, assistants, horizon } = scenario;
  return {
    corpus: { name: corpus.name, version: corpus.version },
    users: population.users,
    untilMs: scenario.untilMs ?? null,
    horizon:
      horizon.kind === "terminating"
        ? "terminating: everything counts"
        : `steady state: warm-up ${durationText(horizon.warmUpMs)}, cool-down ${durationText(horizon.coolDownMs)}`,
    arrivals: arrivalsText(population.arrivals),
    interests:
      population.interests.topics === "zipf"
        ? `topics by Zipf's law, exponent ${population.interests.exponent}`
        : "all topics alike",
    tasks: Object.keys(population.tasks),
    assistants: assistants.map(({ share, strategy, model, thinking }) => ({
      share,
      strategy,
      model: strategyNamed(loaded, strategy).usesModel ? model : null,
      thinking,
    })),
    siteNames: new Map(sites.map(({ id, name }) => [id, name])),
    identities: {
      Scenario: loaded.sha256,
      Corpus: corpus.sha256,
      Prompts: prompts.sha256,
      Index: indexIdentity,
      Vectors: vectorsSha256,
    },
  };
}

function arrivalsText(arrivals: Scenario["population"]["arrivals"]): string {
  switch (arrivals.process) {
    case "poisson":
      return `a Poisson process, ${arrivals.ratePerHour} an hour`;
    case "diurnal":
      return `a Poisson process with the course of a day, ${arrivals.ratePerHour} an hour on average`;
    case "every-topic":
      return `every topic once an assistant, ${arrivals.ratePerHour} an hour`;
    case "trace":
      return `${arrivals.timesMs.length} recorded times`;
  }
}
