/**
 * What becomes of a request that an older run's tape lacks. `live`: the model is asked; `surrogate`: a surrogate answers
 * in the place of an endpoint; `error`: the run fails.
 */
export const onMisses = ["live", "surrogate", "error"] as const;
export type OnMiss = (typeof onMisses)[number];
