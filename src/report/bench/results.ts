import type { CalibrationRow } from "./calibration.ts";
import type { BenchCell } from "./cell.ts";
import type { Comparison } from "./comparisons.ts";
import type { PatternResult } from "./patterns.ts";
import type { PublishedRow } from "./published.ts";
import type { WaterfallStage } from "./waterfall.ts";

/** All that a bench says. */
export interface BenchResults {
  readonly patterns: readonly PatternResult[];
  readonly waterfall: readonly WaterfallStage[];
  readonly cells: readonly BenchCell[];
  readonly comparisons: readonly Comparison[];
  readonly published: { readonly source: string; readonly rows: readonly PublishedRow[] };
  /** Null unless it was asked for. */
  readonly calibration: readonly CalibrationRow[] | null;
  /** What must be said beside the figures. */
  readonly notices: readonly string[];
}
