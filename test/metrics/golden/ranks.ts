import { expect } from "vitest";
import { fitPowerLaw, fitZipf, fitZipfToCounts, kendall, rankBiasedOverlap } from "../../../src/metrics/index.ts";
import { type Check, expectClose, type Json, sameForAll } from "./comparison.ts";

const checkKendall: Check = ({ x, y }, expected) => {
  const { tauB, tauA, concordant, discordant, tiesXOnly, tiesYOnly, tiesBoth } = kendall(x, y);
  expectClose(
    {
      tau_b: tauB,
      tau_a: tauA,
      concordant,
      discordant,
      ties_x_only: tiesXOnly,
      ties_y_only: tiesYOnly,
      ties_both: tiesBoth,
    },
    expected,
  );
};

const checkOverlap: Check = ({ a, b, p }, expected) => {
  const { error, empty_convention, ...values } = expected;
  if (error !== undefined) {
    expect(() => rankBiasedOverlap(a, b, p)).toThrow(/twice/);
    return;
  }
  for (const got of [rankBiasedOverlap(a, b, p), rankBiasedOverlap(b, a, p)]) {
    const { truncatedNormalized, averageOverlap, ...rest } = got;
    expectClose({ ...rest, truncated_normalized: truncatedNormalized, average_overlap: averageOverlap }, values);
  }
};

/** Fitted exponents are compared at 1e-6. */
const expectFit = (got: Json, want: Json) => expectClose(got, want, { tolerance: 1e-6 });

const described = (fit: ReturnType<typeof fitZipf>) =>
  fit && { s: fit.exponent, se: fit.se, log_likelihood: fit.logLikelihood, N: fit.ranks, total: fit.total };

const checkCounts: Check = ({ counts }, expected) =>
  expectFit(
    {
      all_sites: described(fitZipfToCounts(counts)),
      positive_sites: described(fitZipfToCounts(counts.filter((count: number) => count > 0))),
    },
    expected,
  );

const checkPowerLaw: Check = ({ values, xmin }, expected) => {
  const fit = fitPowerLaw(values, xmin);
  expectFit(
    fit && {
      alpha: fit.alpha,
      n_tail: fit.n,
      log_likelihood: fit.logLikelihood,
      continuous_approx: fit.continuousApproximation,
      continuous_mle: fit.continuous,
    },
    expected,
  );
};

export const kendallChecks = sameForAll(["edge", "perfect", "ties", "negatives", "random"], checkKendall);

export const rbo = sameForAll(
  ["identical", "disjoint", "permuted", "uneven", "empty", "duplicate", "unicode", "extreme-p", "random"],
  checkOverlap,
);

export const zipfRank: Record<string, Check> = {
  ...sameForAll(["tiny", "degenerate", "zeros", "sampled", "huge"], checkCounts),
  "fixed-ranks": ({ counts_by_rank }, expected) => expectFit({ fixed: described(fitZipf(counts_by_rank)) }, expected),
};

export const powerlawValues = sameForAll(["small", "undefined", "xmin", "sampled"], checkPowerLaw);
