import { evenness, topShare } from "./concentration.ts";

/** One sentence of a report: its words, and the numbers of the sources it cites, repeats kept. */
export interface CitedSentence {
  readonly words: number;
  readonly citations: readonly number[];
}

/** A score per source (source 1 first), as it is and as a share of the sum, in [0, 1]. */
export interface SourceScores {
  readonly raw: readonly number[];
  readonly share: readonly number[];
}

/** How visible each source is in a report (GEO, Aggarwal et al. 2024). */
export interface Visibility {
  /** By the words of the sentences that cite it, by their place, and by both together. */
  readonly word: SourceScores;
  readonly position: SourceScores;
  readonly overall: SourceScores;
  /** The numbers of the sources that are cited, ascending; the report cites none of them when it is empty. */
  readonly cited: readonly number[];
}

/**
 * The GEO visibility of sources 1..`sources` in all sentences of a report, uncited ones included. A sentence's words
 * and the weight of its place, exp(-i / (N - 1)), are split evenly over its citations. Where the scores sum to 0 (no
 * citation) every source gets the same share, so look at `cited` first. As in GEO's code, a citation above `sources`
 * is lost but still takes its part of the sentence, and citation 0 credits the last source.
 */
export function visibility(sentences: readonly CitedSentence[], sources: number): Visibility {
  const word = new Array<number>(sources).fill(0);
  const position = new Array<number>(sources).fill(0);
  const overall = new Array<number>(sources).fill(0);
  const cited = new Set<number>();
  const last = sentences.length - 1;
  sentences.forEach(({ words, citations }, i) => {
    const place = last === 0 ? 1 : Math.exp(-i / last);
    for (const citation of citations) {
      if (citation > sources || sources === 0) continue;
      const source = citation === 0 ? sources - 1 : citation - 1;
      const part = 1 / citations.length;
      if (citation > 0) cited.add(citation);
      word[source] = (word[source] ?? 0) + words * part;
      position[source] = (position[source] ?? 0) + place * part;
      overall[source] = (overall[source] ?? 0) + words * place * part;
    }
  });
  return {
    word: withShares(word),
    position: withShares(position),
    overall: withShares(overall),
    cited: [...cited].sort((a, b) => a - b),
  };
}

function withShares(raw: readonly number[]): SourceScores {
  const sum = raw.reduce((total, score) => total + score, 0);
  return { raw, share: raw.map((score) => (sum === 0 ? 1 / raw.length : Math.min(1, score / sum))) };
}

/** The shares of the cited sources, summed by the agent (site) each belongs to. */
export function agentShares(
  scores: SourceScores,
  cited: readonly number[],
  agentOf: (source: number) => string,
): Map<string, number> {
  const shares = new Map<string, number>();
  for (const source of cited) {
    const agent = agentOf(source);
    shares.set(agent, (shares.get(agent) ?? 0) + (scores.share[source - 1] ?? 0));
  }
  return shares;
}

/** How one report spreads its citations over the agents it cites. */
export interface CitationSpread {
  readonly citedAgents: number;
  /** 1 when the report cites no agent, else 0. */
  readonly noReference: 0 | 1;
  /** Entropy of the agents' citations over its maximum, in [0, 1]; null below two agents. */
  readonly citationEntropy: number | null;
  /** The share of the most cited agent, in (0, 1]; null without citations. */
  readonly largestCitationShare: number | null;
}

/** The spread of a report's citations, given the agent of each. Unlike an SD it does not shrink with more agents. */
export function citationSpread(agents: Iterable<string>): CitationSpread {
  const counts = new Map<string, number>();
  for (const agent of agents) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const citations = [...counts.values()];
  return {
    citedAgents: citations.length,
    noReference: citations.length === 0 ? 1 : 0,
    citationEntropy: evenness(citations),
    largestCitationShare: topShare(citations, 1),
  };
}
