import { mix32 } from "../../kernel/random.ts";
import type { ListedSite, Menu } from "./menu.ts";

/**
 * Draws up to `count` sites without putting back, each in proportion to its odds among those left: the sites with the
 * least -log(u) / odds, where u hangs on the seed and the site alone. It is the choice by the largest utility plus
 * Gumbel noise, with one logarithm where a site can still win. Best first.
 */
export function chooseSites(
  menu: Menu,
  odds: Float64Array,
  seed: number,
  count: number,
  isOut: (site: string) => boolean,
): string[] {
  const chosen: { site: string; race: number }[] = [];
  let worst = count > 0 ? Infinity : 0;
  for (let index = 0; index < odds.length; index++) {
    const { key, id } = menu.sites[index] as ListedSite;
    const u = (mix32(seed, key) + 0.5) / 2 ** 32;
    const chance = odds[index] as number;
    // -log(u) is at least 1 - u: most sites are out of the race without a logarithm.
    if (1 - u >= worst * chance || isOut(id)) continue;
    const race = -Math.log(u) / chance;
    if (race >= worst) continue;
    let place = chosen.length;
    while (place > 0 && race < (chosen[place - 1] as { race: number }).race) place--;
    chosen.splice(place, 0, { site: id, race });
    if (chosen.length > count) chosen.pop();
    if (chosen.length === count) worst = (chosen[count - 1] as { race: number }).race;
  }
  return chosen.map(({ site }) => site);
}
