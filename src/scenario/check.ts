import type { TaskName } from "../corpora/format.ts";
import { InputError } from "../errors.ts";
import type { ScenarioDocument } from "./document.ts";
import type { LoadedScenario } from "./load.ts";
import { unknownName } from "./nearest.ts";
import type { Path } from "./path.ts";

/** Throws `InputError` for a site that the corpus does not have, or a task in use without topics. */
export function checkAgainstCorpus(
  { scenario, document, place }: LoadedScenario,
  siteIds: readonly string[],
  topicCounts: Readonly<Partial<Record<TaskName, number>>>,
): void {
  const known = new Set(siteIds);
  const checkSite = (site: string, path: Path) => {
    if (!known.has(site)) throw new InputError(unknownName("site", site, siteIds), place(path));
  };

  for (const task of Object.keys(scenario.population.tasks) as TaskName[]) {
    if ((topicCounts[task] ?? 0) > 0) continue;
    const message = `the corpus "${scenario.corpus}" has no topics of this task; take the task out, or choose another corpus`;
    throw new InputError(message, place(["population", "tasks", task]));
  }
  for (const site of Object.keys(scenario.sites.bySite)) checkSite(site, ["sites", site]);
  for (const [index, intervention] of document.interventions.entries()) {
    for (const { site, path } of sitesOf(intervention)) checkSite(site, ["interventions", index, ...path]);
  }
}

function sitesOf(intervention: ScenarioDocument["interventions"][number]): { site: string; path: Path }[] {
  if ("set" in intervention) return [{ site: intervention.set.site, path: ["set", "site"] }];
  const [key, sites] = "outage" in intervention ? ["outage", intervention.outage] : ["remove", intervention.remove];
  if (typeof sites === "string") return [{ site: sites, path: [key] }];
  return sites.map((site, index) => ({ site, path: [key, index] }));
}
