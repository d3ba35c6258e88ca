import type { TaskName } from "../corpora/format.ts";
import { InputError } from "../errors.ts";
import type { ScenarioDocument } from "./document.ts";
import type { LoadedScenario } from "./load.ts";
import { unknownName } from "./nearest.ts";
import type { Path } from "./path.ts";
import { tasksInUse } from "./schema.ts";

/** Throws `InputError` for a site or topic that the corpus does not have, or a task in use without topics. */
export function checkAgainstCorpus(
  loaded: LoadedScenario,
  siteIds: readonly string[],
  topics: Readonly<
    Partial<Record<TaskName, readonly { readonly id: string; readonly goldSites: readonly string[] }[]>>
  >,
): void {
  const { scenario, document, added, place } = loaded;
  const ids = [...siteIds, ...added.map(({ site }) => site.id)];
  const known = new Set(ids);
  const checkSite = (site: string, path: Path) => {
    if (!known.has(site)) throw new InputError(unknownName("site", site, ids), place(path));
  };

  for (const task of tasksInUse(scenario)) {
    if ((topics[task]?.length ?? 0) > 0) continue;
    const message = `the corpus "${scenario.corpus}" has no topics of this task; take the task out, or choose another corpus`;
    throw new InputError(message, place(["population", "tasks", task]));
  }
  for (const site of Object.keys(scenario.sites.bySite)) checkSite(site, ["sites", site]);
  for (const [index, intervention] of document.interventions.entries()) {
    for (const { site, path } of sitesOf(intervention)) checkSite(site, ["interventions", index, ...path]);
    if ("topic-shock" in intervention) {
      checkShock(intervention["topic-shock"], Object.values(topics).flat(), (key, message) => {
        throw new InputError(message, place(["interventions", index, "topic-shock", key]));
      });
    }
  }
}

/** Throws `InputError` for an added site or page whose id the corpus has already. */
export function checkAdded(
  { added, document, place }: LoadedScenario,
  siteIds: readonly string[],
  hasDocument: (id: string) => boolean,
): void {
  const known = new Set(siteIds);
  const indexes = [...document.interventions.entries()].filter(([, each]) => "add" in each).map(([index]) => index);
  for (const [n, { site, documents }] of added.entries()) {
    const index = indexes[n];
    const entrant: Path = ["sites", "economy", "entrants", n - indexes.length];
    const where = place(index === undefined ? entrant : ["interventions", index, "add"]);
    if (known.has(site.id)) throw new InputError(`the corpus has the site ${site.id} already`, where);
    const double = documents.find(({ id }) => hasDocument(id));
    if (double !== undefined) throw new InputError(`the corpus has a page with the id "${double.id}" already`, where);
  }
}

type Shock = Extract<ScenarioDocument["interventions"][number], { "topic-shock": unknown }>["topic-shock"];

function checkShock(
  { topics: wanted, "gold-sites": sites }: Shock,
  topics: readonly { readonly id: string; readonly goldSites: readonly string[] }[],
  fault: (key: "topics" | "gold-sites", message: string) => never,
): void {
  const ids = new Set(topics.map(({ id }) => id));
  const unknown = wanted?.find((id) => !ids.has(id));
  if (unknown !== undefined) fault("topics", unknownName("topic", unknown, [...ids]));
  if (sites === undefined) return;
  const without = [sites].flat().find((site) => !topics.some(({ goldSites }) => goldSites.includes(site)));
  if (without !== undefined) fault("gold-sites", `no topic in use has a relevant page at ${without}`);
}

/** The site ids that an intervention names, with their paths in it. */
function sitesOf(intervention: ScenarioDocument["interventions"][number]): { site: string; path: Path }[] {
  if ("set" in intervention) return "site" in intervention.set ? listed(intervention.set.site, ["set", "site"]) : [];
  if ("outage" in intervention) return listed(intervention.outage, ["outage"]);
  if ("remove" in intervention) return listed(intervention.remove, ["remove"]);
  if ("block" in intervention) return listed(intervention.block, ["block"]);
  if ("unblock" in intervention) return listed(intervention.unblock, ["unblock"]);
  if ("topic-shock" in intervention) {
    return listed(intervention["topic-shock"]["gold-sites"] ?? [], ["topic-shock", "gold-sites"]);
  }
  return [];
}

function listed(sites: string | readonly string[], path: Path): { site: string; path: Path }[] {
  if (typeof sites === "string") return [{ site: sites, path }];
  return sites.map((site, index) => ({ site, path: [...path, index] }));
}
