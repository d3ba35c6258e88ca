import type { Stream } from "../kernel/random.ts";
import { durationMs } from "./units.ts";
import type { DistributionDocument } from "./values.ts";

/** A distribution of durations, in milliseconds. */
export type Distribution =
  | { distribution: "lognormal"; medianMs: number; sigma: number }
  | { distribution: "exponential"; meanMs: number }
  | { distribution: "constant"; valueMs: number }
  | { distribution: "uniform"; lowMs: number; highMs: number };

export function toDistribution(document: DistributionDocument): Distribution {
  switch (document.distribution) {
    case "lognormal":
      return { distribution: "lognormal", medianMs: durationMs(document.median), sigma: document.sigma };
    case "exponential":
      return { distribution: "exponential", meanMs: durationMs(document.mean) };
    case "constant":
      return { distribution: "constant", valueMs: durationMs(document.value) };
    case "uniform":
      return { distribution: "uniform", lowMs: durationMs(document.low), highMs: durationMs(document.high) };
  }
}

/** One draw after another from the distribution: whole milliseconds of at least 0. */
export function sampler(distribution: Distribution, stream: Stream): () => number {
  switch (distribution.distribution) {
    case "lognormal":
      return () => Math.round(stream.lognormal(distribution.medianMs, distribution.sigma));
    case "exponential":
      return () => Math.round(stream.exponential(distribution.meanMs));
    case "constant":
      return () => distribution.valueMs;
    case "uniform": {
      const { lowMs, highMs } = distribution;
      return () => Math.min(highMs, lowMs + Math.floor(stream.uniform() * (highMs - lowMs + 1)));
    }
  }
}
