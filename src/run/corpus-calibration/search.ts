import { type Parameters, parametersWith } from "../../corpora/generator/parameters.ts";
import type { MeasuredWorld } from "./measure.ts";
import { misfit } from "./targets.ts";

/** The parameters that move targets of search, with the step by which each is changed. */
const steps: readonly (readonly [name: keyof Parameters, step: number])[] = [
  ["relatedSearches", 0.1],
  ["strangers", 0.1],
  ["absentWords", 0.05],
  ["confusers", 2],
  ["passingFacts", 0.01],
  ["labelled", 0.05],
  ["namedQueries", 0.02],
];

/**
 * Goes through the parameters in turn, a step up and a step down, and keeps each change that lessens the misfit of the
 * world, until so many worlds are measured. A search of one coordinate at a time: it finds a near optimum, not the best.
 */
export async function searchParameters(
  measure: (changes: Partial<Parameters>) => Promise<MeasuredWorld>,
  trials: number,
): Promise<{ parameters: Partial<Parameters>; measured: MeasuredWorld }> {
  let parameters: Partial<Parameters> = {};
  let measured = await measure(parameters);
  for (let trial = 0; trial < trials; trial++) {
    const [name, step] = steps[Math.floor(trial / 2) % steps.length]!;
    const value = parametersWith(parameters)[name] + (trial % 2 === 0 ? step : -step);
    const changed = { ...parameters, [name]: Math.round(value * 1000) / 1000 };
    if (!isAllowed(changed)) continue;
    const other = await measure(changed);
    if (misfit(other.reached) < misfit(measured.reached)) [parameters, measured] = [changed, other];
  }
  return { parameters, measured };
}

function isAllowed(parameters: Partial<Parameters>): boolean {
  try {
    parametersWith(parameters);
    return true;
  } catch {
    return false;
  }
}
