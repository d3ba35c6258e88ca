import type { Scenario } from "../scenario/schema.ts";

/**
 * Whether a query that arrived at a time counts in the measures. All do in a terminating run; in a steady-state run
 * those of the warm-up and of the cool-down do not.
 */
export function isScored({ horizon, untilMs }: Scenario, arrivedMs: number): boolean {
  if (horizon.kind === "terminating") return true;
  return arrivedMs >= horizon.warmUpMs && arrivedMs < (untilMs ?? Number.POSITIVE_INFINITY) - horizon.coolDownMs;
}
