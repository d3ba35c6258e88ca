import type { Intervention } from "../../scenario/interventions.ts";
import type { LoadedScenario } from "../../scenario/load.ts";
import { formatPath } from "../../scenario/path.ts";
import { type Scenario, siteSettings } from "../../scenario/schema.ts";
import { formatDuration } from "../../scenario/units.ts";

/** What a variant changes of a baseline. */
export interface ScenarioChange {
  /** In words, after "With". */
  readonly text: string;
  /** Sites that the variant removes, blocks or puts out of service. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** All sites that it is about. */
  readonly sites: readonly string[];
  /** Whether anything differs that is no single site's. */
  readonly isElsewhere: boolean;
}

/** How one scenario differs from another. */
export function changeOf(baseline: LoadedScenario, variant: LoadedScenario): ScenarioChange {
  const [before, after] = [baseline.scenario, variant.scenario];
  const more = without(after.interventions, before.interventions);
  const fewer = without(before.interventions, after.interventions);
  const set = sitesSetApart(before, after);
  const removed = [
    ...more.filter(takesAway).flatMap(sitesIn),
    ...set.filter((site) => siteSettings(after, site).blocks !== null && siteSettings(before, site).blocks === null),
  ];
  const others = leafChanges(strip(baseline), strip(variant), []);
  const apart = set.flatMap((site) =>
    leafChanges(baseline.document.sites[site], variant.document.sites[site], ["sites", site]),
  );
  return {
    text:
      [
        ...more.map(interventionText),
        ...fewer.map((each) => `not ${interventionText(each)}`),
        ...[...apart, ...others].slice(0, mostTold),
      ].join(", ") || "nothing changed",
    removed: [...new Set(removed)],
    added: more.flatMap((each) => (each.kind === "add" ? each.site : [])),
    sites: [...new Set([...more.flatMap(sitesIn), ...set, ...fewer.flatMap(sitesIn)])],
    isElsewhere: others.length > 0 || [...more, ...fewer].some((each) => sitesIn(each).length === 0),
  };
}

/** Single settings told in words; the rest is in the scenarios. */
const mostTold = 3;

function without(all: readonly Intervention[], others: readonly Intervention[]): Intervention[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return all.filter((each) => !known.has(JSON.stringify(each)));
}

function takesAway(each: Intervention): boolean {
  if (each.kind === "set") return (each.blocks ?? null) !== null;
  return each.kind === "outage" || each.kind === "remove" || each.kind === "block";
}

function sitesIn(each: Intervention): readonly string[] {
  if (each.kind === "add") return [each.site];
  return "sites" in each ? each.sites : [];
}

function sitesSetApart(before: Scenario, after: Scenario): string[] {
  const named = new Set([...Object.keys(before.sites.bySite), ...Object.keys(after.sites.bySite)]);
  const differs = (site: string): boolean =>
    JSON.stringify(siteSettings(before, site)) !== JSON.stringify(siteSettings(after, site));
  return [...named].filter(differs).sort();
}

/** The document without what is told otherwise. */
function strip({ document }: LoadedScenario): unknown {
  const { interventions: _, sites, corpus: __, ...rest } = document;
  return { ...rest, sites: { default: sites.default, economy: sites.economy } };
}

/** `population.users 500 instead of 40`, for each plain value that differs. */
function leafChanges(before: unknown, after: unknown, path: readonly (string | number)[]): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMapping(before) && isMapping(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => leafChanges(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each, index) => leafChanges(each, after[index], [...path, index]));
  }
  return [`${formatPath(path)} ${shown(after)} instead of ${shown(before)}`];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function interventionText(each: Intervention): string {
  const when = each.atMs === 0 ? "" : ` from ${formatDuration(each.atMs)} on`;
  const lasting = (forMs: number): string => ` from ${formatDuration(each.atMs)} for ${formatDuration(forMs)}`;
  const sites = sitesIn(each).join(" and ");
  switch (each.kind) {
    case "outage":
      return `${sites} out of service${lasting(each.forMs)}`;
    case "remove":
      return `${sites} removed${when}`;
    case "block":
      return `${sites} blocking agents${when}`;
    case "unblock":
      return `${sites} blocking nobody${when}`;
    case "add":
      return `${sites} added${when}`;
    case "set": {
      const what = Object.keys(each).filter((key) => !["kind", "atMs", "sites"].includes(key));
      return `another ${what.join(" and ")} of ${sites}${when}`;
    }
    case "set-population":
      return `another population${when}`;
    case "set-assistant":
      return `another assistant ${each.assistant}${when}`;
    case "demand":
      return `demand times ${each.factor}${lasting(each.forMs)}`;
    case "topic-shock":
      return `interest of ${each.share} of all queries shifted${lasting(each.forMs)}`;
  }
}
