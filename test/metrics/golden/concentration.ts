import { expect } from "vitest";
import {
  concentration,
  correctedGini,
  evenness,
  lorenzCurve,
  normalizedHerfindahl,
  shannonEntropy,
  theilL,
  topShare,
} from "../../../src/metrics/index.ts";
import { type Check, atCutoffs, expectClose, type Json, sameForAll } from "./comparison.ts";

const checkConcentration: Check = ({ counts }, expected) => {
  const got = concentration(counts);
  if (expected === null) {
    const { sites, n, ...measures } = got;
    expect({ sites, n }).toEqual({ sites: counts.length, n: 0 });
    expect(Object.values(measures).every((value) => value === null)).toBe(true);
    return;
  }
  const positive = counts.filter((count: number) => count > 0);
  const entropy = shannonEntropy(counts) as number;
  const described: Json = {
    n: got.sites,
    n_positive: positive.length,
    total: got.n,
    gini: got.gini,
    gini_corrected: correctedGini(counts),
    hhi: got.hhi,
    hhi_10000: (got.hhi as number) * 10_000,
    hhi_normalized: normalizedHerfindahl(counts),
    inverse_hhi: 1 / (got.hhi as number),
    shannon_nats: entropy,
    shannon_bits: entropy / Math.LN2,
    effective_number: got.effectiveSitesShannon,
    evenness: evenness(counts),
    evenness_positive: evenness(positive),
    theil_t: got.theil,
    theil_normalized: counts.length === 1 ? null : (got.theil as number) / Math.log(counts.length),
    theil_l: theilL(counts),
    top_share: atCutoffs([1, 3, 5, 10], (k) => topShare(counts, k) as number),
    lorenz: lorenzCurve(counts),
  };
  expectClose(described, expected);
  expectClose({ 1: got.top1, 5: got.top5, 10: got.top10 }, pick(expected.top_share));
};

const pick = (shares: Json) => ({ 1: shares[1], 5: shares[5], 10: shares[10] });

export const concentrationChecks = sameForAll(
  ["tiny", "degenerate", "equal", "monopoly", "zeros", "huge", "random", "zipf-like"],
  checkConcentration,
);
