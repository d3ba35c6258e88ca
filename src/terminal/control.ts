import type { LiveSnapshot, SiteStory } from "../statistics/live.ts";
import type { QueryTimeline } from "../statistics/query-timeline.ts";

/** How a view steers a run. */
export interface Control {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  /** Asks the run to end cleanly; the view stays open until it is closed. May be asked more than once. */
  stop(): void;
  /** How many times as fast as real time virtual time goes at most; null is as fast as it goes. */
  readonly speed?: number | null | undefined;
  setSpeed?(speed: number | null): void;
  /** Whether the run that is shown is over. */
  readonly over?: boolean;
  /** Goes forward or back in a run that is over, by a step. */
  scrub?(steps: number): void;
}

/** What every view of a run is made from. */
export interface ViewOptions {
  /** The scenario's name. */
  readonly title: string;
  readonly statistics: () => LiveSnapshot;
  readonly control: Control;
  /** Real time, in ms from any origin. */
  readonly clock: () => number;
}

/** What is known of one site, and of one query; null for nothing. */
export interface ViewPages {
  readonly site: (site: string) => SiteStory | null;
  readonly timeline: (query: string) => QueryTimeline | null;
}

export interface View {
  /** Shows the last state and leaves the terminal as it was found; once, however often it is called. */
  close(): Promise<void>;
}
