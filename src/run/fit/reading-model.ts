import { byDifferences, type Estimates, maximise } from "../../metrics/maximum-likelihood.ts";
import type { Profile } from "../../models/surrogate/profile.ts";
import type { PageEvidence, ReadingEvidence, Role } from "./evidence.ts";

/** How an agent judges pages, is satisfied, searches on, and what it hands over. */
export interface ReadingParameters {
  readonly noise: number;
  readonly trustInOrder: number;
  readonly worthAtLeast: number;
  readonly satisfiedAt: number;
  readonly persistenceSatisfied: number;
  readonly persistenceUnsatisfied: number;
}

/** What the parameters are estimated under. */
export interface ReadingRules {
  readonly role: Role;
  /** The most pages that an answer was seen to have. */
  readonly most: number;
}

const smallest = 1e-300;

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * The likelihood of one decision under the surrogate's rules: each page's worth is its match, plus trust in the order,
 * plus logistic noise; the agent is satisfied when the best is worth `satisfiedAt`, searches on with a chance that
 * hangs on that, and else hands over the pages worth `worthAtLeast`. The noise of the two is the same.
 */
export function likelihood(evidence: ReadingEvidence, how: ReadingParameters, rules: ReadingRules): number {
  const { pages, searchedOn, namesPages } = evidence;
  const unsatisfied = pages.reduce((product, page) => product * (1 - atLeast(page, how.satisfiedAt, how)), 1);
  if (searchedOn) return mixed(1 - unsatisfied, unsatisfied, how);
  const [all, whileUnsatisfied] = namesPages ? chancesOfAnswer(pages, how, rules) : [1, unsatisfied];
  const stopping = {
    persistenceSatisfied: 1 - how.persistenceSatisfied,
    persistenceUnsatisfied: 1 - how.persistenceUnsatisfied,
  };
  return mixed(Math.max(0, all - whileUnsatisfied), whileUnsatisfied, stopping);
}

function mixed(
  satisfied: number,
  unsatisfied: number,
  chance: Pick<ReadingParameters, "persistenceSatisfied" | "persistenceUnsatisfied">,
): number {
  return satisfied * chance.persistenceSatisfied + unsatisfied * chance.persistenceUnsatisfied;
}

/** The chance that a page is worth so much. */
function atLeast({ match, order }: PageEvidence, worth: number, how: ReadingParameters): number {
  return logistic((match + how.trustInOrder * order - worth) / how.noise);
}

/** The chance that exactly these pages are good enough; and the chance of that together with no page satisfying. */
function chancesOfAnswer(
  pages: readonly PageEvidence[],
  how: ReadingParameters,
  rules: ReadingRules,
): [all: number, whileUnsatisfied: number] {
  const { worthAtLeast, satisfiedAt } = how;
  const good = pages.map((page) => atLeast(page, worthAtLeast, how));
  // Good enough, yet not satisfying; and neither.
  const between = pages.map((page, index) => Math.max(0, good[index]! - atLeast(page, satisfiedAt, how)));
  const below = pages.map((page) => 1 - atLeast(page, Math.min(worthAtLeast, satisfiedAt), how));
  return [
    answerChance(
      pages,
      good,
      good.map((each) => 1 - each),
      rules,
    ),
    answerChance(pages, between, below, rules),
  ];
}

/**
 * The chance of an answer where each page is handed over or not with chances of its own. As much as the answer tells:
 * one that was cut at the most pages tells that so many were good enough, and a user agent hands over its best page
 * whatever it is worth, so that one page tells that no other was.
 */
export function answerChance(
  pages: readonly PageEvidence[],
  yes: readonly number[],
  no: readonly number[],
  { role, most }: ReadingRules,
): number {
  const count = pages.filter(({ isHandedOver }) => isHandedOver).length;
  const wasCut = count >= most && pages.length > most;
  const isAtMostOne = role === "user-agent" && count <= 1;
  if (!wasCut && !isAtMostOne) {
    return pages.reduce((all, { isHandedOver }, index) => all * (isHandedOver ? yes[index]! : no[index]!), 1);
  }
  return numbersGood(yes, no).reduce(
    (sum, chance, number) => ((wasCut ? number >= most : number <= 1) ? sum + chance : sum),
    0,
  );
}

/** The chance of each number of good pages, where each is good or not with its own chances. */
function numbersGood(yes: readonly number[], no: readonly number[]): number[] {
  let chances = [1];
  yes.forEach((good, index) => {
    const next = new Array<number>(chances.length + 1).fill(0);
    chances.forEach((chance, number) => {
      next[number]! += chance * no[index]!;
      next[number + 1]! += chance * good;
    });
    chances = next;
  });
  return chances;
}

/** Estimates the six parameters by maximum likelihood, from where a profile has them. */
export function fitReading(
  evidence: readonly ReadingEvidence[],
  start: Profile[Role],
  rules: ReadingRules,
): {
  readonly parameters: ReadingParameters;
  readonly standardErrors: Partial<ReadingParameters>;
  readonly converged: boolean;
} {
  const casesAt = (place: readonly number[]): Float64Array => {
    const how = parametersAt(place);
    return Float64Array.from(evidence, (each) => Math.log(Math.max(smallest, likelihood(each, how, rules))));
  };
  const total = (place: readonly number[]): number => casesAt(place).reduce((sum, each) => sum + each, 0);
  const starts = startsFrom(placeOf(start));
  const best = starts.reduce((a, b) => (total(b) > total(a) ? b : a));
  const estimates = maximise(best, byDifferences(casesAt));
  const parameters = parametersAt(estimates.parameters);
  return { parameters, standardErrors: standardErrorsOf(estimates, parameters), converged: estimates.converged };
}

/** Chances are kept off 0 and 1, where they could not move. */
const inside = (chance: number): number => Math.min(0.99, Math.max(0.01, chance));
const logit = (chance: number): number => Math.log(chance / (1 - chance));

/** The likelihood can have several peaks in the worth that satisfies: the climb begins at the best of these. */
function startsFrom(place: readonly number[]): number[][] {
  const persistence = [
    [0.1, 0.4],
    [0.4, 0.7],
    [0.8, 0.97],
  ] as const;
  return [0.3, 0.45, 0.6, 0.75, 0.9].flatMap((satisfiedAt) => [
    place.with(3, satisfiedAt),
    ...persistence.map(([satisfied, unsatisfied]) =>
      place.with(3, satisfiedAt).with(4, logit(satisfied)).with(5, logit(unsatisfied)),
    ),
  ]);
}

function placeOf(profile: Profile[Role]): number[] {
  const { judgement, persistence, answer } = profile;
  return [
    Math.log(Math.max(0.01, judgement.noise)),
    judgement["trust-in-order"],
    answer["worth-at-least"],
    profile["satisfied-at"],
    logit(inside(persistence.satisfied)),
    logit(inside(persistence.unsatisfied)),
  ];
}

function parametersAt(place: readonly number[]): ReadingParameters {
  const [noise, trustInOrder, worthAtLeast, satisfiedAt, satisfied, unsatisfied] = place as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    noise: Math.exp(noise),
    trustInOrder,
    worthAtLeast,
    satisfiedAt,
    persistenceSatisfied: logistic(satisfied),
    persistenceUnsatisfied: logistic(unsatisfied),
  };
}

/** By the delta method, for parameters that were estimated on another scale. */
function standardErrorsOf({ standardErrors }: Estimates, how: ReadingParameters): Partial<ReadingParameters> {
  if (standardErrors === null) return {};
  const [noise, trustInOrder, worthAtLeast, satisfiedAt, satisfied, unsatisfied] = standardErrors as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const { persistenceSatisfied: s, persistenceUnsatisfied: u } = how;
  return {
    noise: how.noise * noise,
    trustInOrder,
    worthAtLeast,
    satisfiedAt,
    persistenceSatisfied: s * (1 - s) * satisfied,
    persistenceUnsatisfied: u * (1 - u) * unsatisfied,
  };
}
