import type { Scenario } from "../scenario/schema.ts";

/**
 * Whether a query that arrived at a time counts in the measures. All do in a terminating run; in a steady-state run
 * those of the warm-up and of the cool-down do not.
 */
export function isScored(scenario: Scenario, arrivedMs: number): boolean {
  const { horizon } = scenario;
  return isDue(scenario, arrivedMs) && (horizon.kind === "terminating" || arrivedMs >= horizon.warmUpMs);
}

/** Whether a query that arrived at a time must be completed by the end of the run: all but those of the cool-down. */
export function isDue({ horizon, untilMs }: Scenario, arrivedMs: number): boolean {
  return horizon.kind === "terminating" || arrivedMs < (untilMs ?? Number.POSITIVE_INFINITY) - horizon.coolDownMs;
}
