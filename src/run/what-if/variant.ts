import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { InputError } from "../../errors.ts";
import type { InterventionDocument } from "../../scenario/intervention-document.ts";
import { type LoadedScenario, loadScenario } from "../../scenario/load.ts";
import { unknownName } from "../../scenario/nearest.ts";
import { writeScenarioFiles } from "../run-directory.ts";

/** What is to be different in a variant. */
export interface Wish {
  readonly remove: readonly string[];
  readonly block: readonly string[];
  readonly outage: readonly string[];
  /** Files of sites. */
  readonly add: readonly string[];
  /** `path=value`, as `awesim run --set` takes it. */
  readonly set: readonly string[];
}

export interface Variants {
  readonly baseline: LoadedScenario;
  readonly variant: LoadedScenario;
  /** What must be said about how the two were made. */
  readonly notices: readonly string[];
}

/** An outage without an end of its own lasts longer than any run. */
const forEver = "36500d";

/**
 * Makes a baseline and a variant of a scenario, as files `baseline.yaml` and `variant.yaml` of a folder that
 * `awesim run` runs as they stand. Without any wish the scenario is the variant, and the baseline is without its
 * interventions. Throws an `InputError` for a site that is not there.
 */
export function makeVariants(
  loaded: LoadedScenario,
  corpusDirectory: string,
  sites: readonly string[],
  wish: Wish,
  folder: string,
): Variants {
  mkdirSync(folder, { recursive: true });
  const given = { ...(parse(loaded.resolved) as Document), corpus: resolve(corpusDirectory) };
  writeScenarioFiles(folder, loaded);
  if (Object.values(wish).every((each: readonly string[]) => each.length === 0)) {
    if (given.interventions.length === 0) {
      throw new InputError(
        "nothing to compare: the scenario has no interventions; give --remove, --block, --outage, --add or --set",
        { file: loaded.file },
      );
    }
    const baseline = frozen(folder, "baseline", { ...given, interventions: [] }, []);
    return { baseline, variant: frozen(folder, "variant", given, []), notices: [] };
  }
  checkSites(wish, sites);
  const { kept, notices } = withoutRemoved(given.interventions, wish.remove);
  const baseline = frozen(folder, "baseline", given, []);
  const interventions = [...kept, ...wished(wish)];
  return { baseline, variant: frozen(folder, "variant", { ...given, interventions }, wish.set), notices };
}

type Document = LoadedScenario["document"];

/** The document as a file, loaded again: with its settings filled in, and the files that it needs beside it. */
function frozen(folder: string, name: string, document: Document, set: readonly string[]): LoadedScenario {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify(document));
  const loaded = loadScenario(file, { set });
  writeScenarioFiles(folder, loaded);
  writeFileSync(file, loaded.resolved);
  return loadScenario(file);
}

function wished({ remove, block, outage, add }: Wish): InterventionDocument[] {
  const at = "0ms";
  return [
    ...remove.map((site) => ({ at, remove: site })),
    ...block.map((site) => ({ at, block: site })),
    ...outage.map((site) => ({ at, outage: site, for: forEver })),
    ...add.map((file) => ({ at, add: resolve(file) })),
  ];
}

function checkSites({ remove, block, outage }: Wish, sites: readonly string[]): void {
  for (const [option, named] of Object.entries({ remove, block, outage })) {
    const unknown = named.find((site) => !sites.includes(site));
    if (unknown !== undefined) throw new InputError(unknownName("site", unknown, sites), { field: `--${option}` });
  }
}

/** A site that is removed from the start has no interventions of its own. */
function withoutRemoved(all: readonly InterventionDocument[], removed: readonly string[]) {
  const notices: string[] = [];
  const kept = all.flatMap((each): InterventionDocument[] => {
    for (const key of ["outage", "remove", "block", "unblock"] as const) {
      if (!(key in each)) continue;
      const sites = [(each as Record<string, string | string[]>)[key] as string | string[]].flat();
      const left = sites.filter((site) => !removed.includes(site));
      if (left.length === sites.length) return [each];
      const gone = sites.filter((site) => removed.includes(site)).join(", ");
      notices.push(`The scenario's ${key} of ${gone} at ${each.at} is left out of the variant: the site is removed.`);
      return left.length === 0 ? [] : [{ ...each, [key]: left } as InterventionDocument];
    }
    if (!("set" in each && "site" in each.set)) return [each];
    const { set } = each;
    const left = [set.site].flat().filter((site) => !removed.includes(site));
    if (left.length === [set.site].flat().length) return [each];
    notices.push(`What the scenario sets of a removed site at ${each.at} is left out of the variant.`);
    return left.length === 0 ? [] : [{ ...each, set: { ...set, site: left } }];
  });
  return { kept, notices };
}
