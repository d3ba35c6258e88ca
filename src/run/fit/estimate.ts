import { hash32, hashUniform } from "../../kernel/random.ts";
import { type Choice, conditionalLogit, logLoss } from "../../metrics/conditional-logit.ts";
import { Moments } from "../../metrics/moments.ts";
import type { Profile } from "../../models/surrogate/profile.ts";
import { type Evidence, profileFeatures, type ReadingEvidence, type Role, siteFeatures } from "./evidence.ts";
import { answerChance, fitReading, likelihood, type ReadingParameters, type ReadingRules } from "./reading-model.ts";

/** A profile's key with its estimate. */
export interface KeyEstimate {
  readonly key: string;
  readonly value: number;
  /** Null where the data do not determine it. */
  readonly standardError: number | null;
  /** Decisions it was estimated from. */
  readonly n: number;
}

/** How well decisions that were held out are foreseen: means of -log of the chance given to what happened. */
export interface HeldOut {
  readonly decision: string;
  readonly n: number;
  readonly fitted: number | null;
  readonly baselines: Readonly<Record<string, number | null>>;
}

export interface ProfileFit {
  readonly keys: readonly KeyEstimate[];
  /** Weights of the choice of sites when it may also go by what a profile does not know. */
  readonly siteChoice: readonly {
    readonly feature: string;
    readonly weight: number;
    readonly standardError: number | null;
  }[];
  readonly heldOut: readonly HeldOut[];
  readonly queries: { readonly fitted: number; readonly heldOut: number };
}

/** The share of queries that nothing is estimated from. */
const heldOutShare = 0.3;

/** Estimates a profile from what a model did; `base` is where the search begins. */
export function estimateProfile(evidence: readonly Evidence[], base: Profile): ProfileFit {
  const isHeldOut = (query: string): boolean => hashUniform(hash32("held out"), hash32(query)) < heldOutShare;
  const training = evidence.filter(({ query }) => !isHeldOut(query));
  const rest = evidence.filter(({ query }) => isHeldOut(query));
  const count = (all: readonly Evidence[]): number => new Set(all.map(({ query }) => query)).size;
  const sites = siteChoice(training, rest);
  const reading = (["user-agent", "content-agent"] as const).map((role) => readingPart(role, training, rest, base));
  return {
    keys: [
      ...sites.keys,
      ...searchKeys(training),
      ...reading.flatMap(({ keys }) => keys),
      ...(["user-agent", "content-agent"] as const).flatMap((role) => malformedKeys(role, training)),
    ],
    siteChoice: sites.extended,
    heldOut: [...sites.heldOut, ...reading.flatMap(({ heldOut }) => heldOut)],
    queries: { fitted: count(training), heldOut: count(rest) },
  };
}

function choicesOf(evidence: readonly Evidence[]): Choice[] {
  return evidence.flatMap(({ search }) => search?.choices ?? []).filter(({ options }) => options.length > 1);
}

function siteChoice(training: readonly Evidence[], rest: readonly Evidence[]) {
  const [fitting, held] = [choicesOf(training), choicesOf(rest)];
  if (fitting.length === 0) return { keys: [], extended: [], heldOut: [] };
  const known = telling(fitting, profileFeatures);
  const all = telling(fitting, siteFeatures.length);
  const own = fitFeatures(fitting, known);
  const extended = fitFeatures(fitting, all);
  const names = ["match-weight", "named-weight", "broad-weight"];
  const keys = known.map((feature, index): KeyEstimate => {
    const key = `user-agent.choice-of-sites.${names[feature] as string}`;
    // A profile has no weight below 0: what repels is taken to say nothing.
    const value = Math.max(0, own.parameters[index] as number);
    return { key, value, standardError: own.standardErrors?.[index] ?? null, n: fitting.length };
  });
  const heldOut: HeldOut = {
    decision: "a site to ask",
    n: held.length,
    fitted: logLoss(only(held, known), own.parameters),
    baselines: {
      uniform: logLoss(only(held, []), []),
      popularity: popularityLoss(training, rest),
      "with position, popularity, relevance": logLoss(only(held, all), extended.parameters),
    },
  };
  return {
    // On the scale of utilities whose noise has the scale 1.
    keys: [
      ...keys,
      { key: "user-agent.choice-of-sites.temperature", value: 1, standardError: null, n: fitting.length },
    ],
    extended: all.map((feature, index) => ({
      feature: siteFeatures[feature] as string,
      weight: extended.parameters[index] as number,
      standardError: extended.standardErrors?.[index] ?? null,
    })),
    heldOut: [heldOut],
  };
}

/** The features that differ between the options of some choice. */
function telling(choices: readonly Choice[], features: number): number[] {
  return Array.from({ length: features }, (_, feature) => feature).filter((feature) =>
    choices.some(({ options }) => options.some((row) => row[feature] !== options[0]?.[feature])),
  );
}

function only(choices: readonly Choice[], features: readonly number[]): Choice[] {
  return choices.map(({ options, chosen }) => ({
    options: options.map((row) => features.map((feature) => row[feature] as number)),
    chosen,
  }));
}

function fitFeatures(choices: readonly Choice[], features: readonly number[]) {
  return conditionalLogit(only(choices, features), features.length);
}

/** Foresees each site by how often it was asked in the training queries, one time more for each. */
function popularityLoss(training: readonly Evidence[], rest: readonly Evidence[]): number | null {
  const asked = new Map<string, number>();
  for (const { search } of training) {
    for (const site of search?.chosenSites ?? []) asked.set(site, (asked.get(site) ?? 0) + 1);
  }
  const weight = (site: string): number => (asked.get(site) ?? 0) + 1;
  const losses = new Moments();
  for (const { search } of rest) {
    search?.optionSites.forEach((options, index) => {
      if (options.length < 2) return;
      const total = options.reduce((sum, site) => sum + weight(site), 0);
      losses.add(-Math.log(weight(search.chosenSites[index] as string) / total));
    });
  }
  return losses.mean;
}

function searchKeys(training: readonly Evidence[]): KeyEstimate[] {
  const searches = training.flatMap(({ search }) => search ?? []);
  const sizes = searches.map(({ sites }) => sites);
  const moments = new Moments(sizes);
  const again = searches.flatMap((search) => search.again ?? []);
  const where = "user-agent.sites-per-search";
  const of = { standardError: null, n: sizes.length };
  return [
    ...(moments.mean === null
      ? []
      : [
          { key: `${where}.least`, value: Math.min(...sizes), ...of },
          { key: `${where}.most`, value: Math.max(...sizes), ...of },
          { key: `${where}.mean`, value: moments.mean, standardError: moments.se, n: sizes.length },
        ]),
    ...shareKey(
      "user-agent.rewrites-query",
      searches.flatMap(({ rewrote }) => rewrote ?? []),
    ),
    ...shareKey(
      "user-agent.new-text",
      searches.flatMap(({ hasNewText }) => hasNewText ?? []),
    ),
    ...shareKey(
      "user-agent.asks-again",
      again.flatMap(({ could, were }) => Array.from({ length: could }, (_, index) => index < were)),
    ),
  ];
}

function malformedKeys(role: Role, training: readonly Evidence[]): KeyEstimate[] {
  const outputs = training.filter((each) => each.role === role);
  const invalid = (afterNote: boolean): boolean[] =>
    outputs.filter((each) => each.afterNote === afterNote).map(({ isValid }) => !isValid);
  return [
    ...shareKey(`${role}.malformed.rate`, invalid(false)),
    ...shareKey(`${role}.malformed.rate-after-note`, invalid(true)),
  ];
}

function shareKey(key: string, cases: readonly boolean[]): KeyEstimate[] {
  const n = cases.length;
  if (n === 0) return [];
  const value = cases.filter((each) => each).length / n;
  return [{ key, value, standardError: Math.sqrt((value * (1 - value)) / n), n }];
}

function readingPart(role: Role, training: readonly Evidence[], rest: readonly Evidence[], base: Profile) {
  const of = (all: readonly Evidence[]): ReadingEvidence[] =>
    all.filter((each) => each.role === role).flatMap(({ reading }) => reading ?? []);
  const [known, held] = [free(of(training), role), of(rest)];
  if (known.decisions.length === 0) return { keys: [], heldOut: [] };
  const n = known.decisions.length;
  const most = Math.max(1, ...known.decisions.map(({ pages }) => pages.filter((page) => page.isHandedOver).length));
  const rules: ReadingRules = { role, most };
  const { parameters: how, standardErrors } = fitReading(known.decisions, base[role], rules);
  const key = (name: string, value: number, parameter: keyof ReadingParameters): KeyEstimate => ({
    key: `${role}.${name}`,
    value,
    standardError: standardErrors[parameter] ?? null,
    n,
  });
  const heldDecisions = held.filter(({ searches }) => searches < known.limit);
  return {
    keys: [
      key("judgement.noise", how.noise, "noise"),
      key("judgement.trust-in-order", Math.max(0, how.trustInOrder), "trustInOrder"),
      key("satisfied-at", how.satisfiedAt, "satisfiedAt"),
      key("persistence.satisfied", how.persistenceSatisfied, "persistenceSatisfied"),
      key("persistence.unsatisfied", how.persistenceUnsatisfied, "persistenceUnsatisfied"),
      key("answer.worth-at-least", how.worthAtLeast, "worthAtLeast"),
      { key: `${role}.answer.most`, value: most, standardError: null, n },
      ...(Number.isFinite(known.limit)
        ? [{ key: `${role}.search-texts`, value: known.limit, standardError: null, n }]
        : []),
    ],
    heldOut: [
      stoppingLoss(known.decisions, heldDecisions, how, rules),
      pagesLoss(known.decisions, heldDecisions, how, rules),
    ],
  };
}

/**
 * The decisions in which an agent could do either. One that searches an index of pages knows only so many texts to
 * search for: after the most searches that any agent made, it has to stop.
 */
function free(decisions: readonly ReadingEvidence[], role: Role): { decisions: ReadingEvidence[]; limit: number } {
  if (role === "user-agent") return { decisions: [...decisions], limit: Number.POSITIVE_INFINITY };
  const limit = Math.max(0, ...decisions.map(({ searches }) => searches));
  return { decisions: decisions.filter(({ searches }) => searches < limit), limit };
}

function stoppingLoss(
  training: readonly ReadingEvidence[],
  held: readonly ReadingEvidence[],
  how: ReadingParameters,
  rules: ReadingRules,
): HeldOut {
  const rate = (decisions: readonly ReadingEvidence[]): number =>
    (decisions.filter(({ searchedOn }) => searchedOn).length + 0.5) / (decisions.length + 1);
  const overall = rate(training);
  const bySearches = new Map<number, number>();
  for (const { searches } of training) {
    if (bySearches.has(searches)) continue;
    bySearches.set(searches, rate(training.filter((each) => each.searches === searches)));
  }
  const loss = (chanceOf: (decision: ReadingEvidence) => number): number | null =>
    new Moments(
      held.map((decision) => {
        const chance = Math.min(1 - 1e-9, Math.max(1e-9, chanceOf(decision)));
        return -Math.log(decision.searchedOn ? chance : 1 - chance);
      }),
    ).mean;
  return {
    decision: `whether a ${rules.role} searches on`,
    n: held.length,
    fitted: loss((decision) => likelihood({ ...decision, searchedOn: true }, how, rules)),
    baselines: {
      "one rate": loss(() => overall),
      "a rate a turn": loss(({ searches }) => bySearches.get(searches) ?? overall),
    },
  };
}

/** The chance of what an answer hands over, given that the agent answers. */
function pagesLoss(
  training: readonly ReadingEvidence[],
  held: readonly ReadingEvidence[],
  how: ReadingParameters,
  rules: ReadingRules,
): HeldOut {
  const known = training.filter(({ namesPages }) => namesPages).flatMap(({ pages }) => pages);
  const rate = (known.filter(({ isHandedOver }) => isHandedOver).length + 0.5) / (known.length + 1);
  const answers = held.filter(({ namesPages, pages }) => namesPages && pages.length > 0);
  const loss = (chanceOf: (answer: ReadingEvidence) => number): number | null =>
    new Moments(answers.map((answer) => -Math.log(Math.max(1e-9, chanceOf(answer))))).mean;
  const same = (answer: ReadingEvidence, chance: number): number[] => answer.pages.map(() => chance);
  return {
    decision: `what a ${rules.role} hands over`,
    n: answers.length,
    fitted: loss((answer) => likelihood(answer, how, rules) / likelihood({ ...answer, namesPages: false }, how, rules)),
    baselines: {
      "one rate": loss((answer) => answerChance(answer.pages, same(answer, rate), same(answer, 1 - rate), rules)),
    },
  };
}
