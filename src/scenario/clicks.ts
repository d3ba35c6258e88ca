import { hash32, hashUniform, mix32 } from "../kernel/random.ts";

/** How people follow what an answer cites; chances in [0, 1]. */
export type Clicks =
  | { readonly model: "none" }
  /** A place is looked at with a chance that falls by the factor `examination` from each place to the next. */
  | { readonly model: "position-based"; readonly attraction: number; readonly examination: number }
  /** Places are looked at from the first on, until a click satisfies. */
  | { readonly model: "cascade"; readonly attraction: number; readonly satisfaction: number };

/**
 * Which of the cited places, best first, a person clicks: the position-based or the cascade model of Craswell et al.
 * (2008). Each place's luck depends on the seed and its own name, so that another one's going changes only its rank.
 * @param seed a 32-bit integer of the query
 */
export function clicked<Place>(
  places: readonly Place[],
  nameOf: (place: Place) => string,
  clicks: Clicks,
  seed: number,
): Place[] {
  if (clicks.model === "none") return [];
  const chosen: Place[] = [];
  let examined = 1;
  for (const place of places) {
    const key = hash32(nameOf(place));
    const isClicked = hashUniform(seed, key) < clicks.attraction * examined;
    if (isClicked) chosen.push(place);
    if (clicks.model === "position-based") examined *= clicks.examination;
    else if (isClicked && hashUniform(mix32(seed, 1), key) < clicks.satisfaction) break;
  }
  return chosen;
}
