/** What a generated corpus should come to, and how far off counts as one unit of misfit. */
export interface Target {
  readonly value: number;
  readonly rule: "near" | "at-least" | "at-most";
  readonly unit: number;
}

const near = (value: number, unit: number): Target => ({ value, rule: "near", unit });
const atLeast = (value: number, unit: number): Target => ({ value, rule: "at-least", unit });
const atMost = (value: number, unit: number): Target => ({ value, rule: "at-most", unit });

/**
 * By quantity. The first are published for AgentWebBench's central index (BM25, hybrid and tool-e as NDCG@3 over that
 * of dense retrieval); the distribution of gold pages is computed from its queries; the others are chosen.
 */
export const targets = {
  "dense hit@1": near(0.34, 0.02),
  "dense ndcg@3": near(0.479, 0.02),
  "dense ndcg@5": near(0.51, 0.02),
  "dense recall@3": near(0.576, 0.02),
  "dense recall@5": near(0.653, 0.02),
  "bm25 / dense": near(0.59, 0.03),
  "hybrid / dense": near(0.906, 0.03),
  "tool-e / dense": near(0.7, 0.06),
  "gold site in 5 by description": atLeast(0.75, 0.03),
  "other site has something usable": near(0.5, 0.05),
  "gold top 1": near(0.083, 0.02),
  "gold top 5": near(0.32, 0.03),
  "gold top 10": near(0.5, 0.03),
  "gold effective sites": near(36, 4),
  "gold of generalists": near(0.4, 0.04),
  "relevant pages a topic": near(2.5, 0.2),
  "labelled share": near(0.4, 0.05),
  "absent words": near(0.4, 0.02),
  "queries that name a site": near(0.12, 0.02),
  "named topics": near(0.7, 0.03),
  "wrong copies": near(0.1, 0.01),
  "next page recall@5": atMost(0.015, 0.005),
  "next page on the same site": near(0.5, 0.05),
  "substitutes of a next page": atLeast(300, 50),
  "questions without an answer": near(0.5, 0.03),
  "answered questions of 2 sites": near(0.4, 0.03),
} as const satisfies Record<string, Target>;

export type Quantity = keyof typeof targets;
export type Reached = Readonly<Record<Quantity, number>>;
export const quantities = Object.keys(targets) as Quantity[];

/** How far a value is from its target; 0 where the target is a bound that is kept. */
function residual(quantity: Quantity, value: number): number {
  const { value: target, rule }: Target = targets[quantity];
  if (rule === "at-least") return Math.min(0, value - target);
  return rule === "at-most" ? Math.max(0, value - target) : value - target;
}

/** The sum of the squared residuals, each in units of its target: 0 when all targets are met. */
export function misfit(reached: Reached): number {
  return quantities.reduce((sum, quantity) => {
    const off = residual(quantity, reached[quantity]) / targets[quantity].unit;
    return sum + off * off;
  }, 0);
}

/** As corpus.yaml keeps them. */
export function residuals(reached: Reached): Record<string, { target: number; reached: number; residual: number }> {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    quantities.map((quantity) => {
      const value = reached[quantity];
      const entry = {
        target: targets[quantity].value,
        reached: rounded(value),
        residual: rounded(residual(quantity, value)),
      };
      return [quantity, entry];
    }),
  );
}

/** Quantity by quantity, the mean over worlds. */
export function meanReached(worlds: readonly Reached[]): Reached {
  const mean = (quantity: Quantity): number => worlds.reduce((sum, world) => sum + world[quantity], 0) / worlds.length;
  return Object.fromEntries(quantities.map((quantity) => [quantity, mean(quantity)])) as Record<Quantity, number>;
}
