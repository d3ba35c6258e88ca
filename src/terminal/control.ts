import type { LiveSnapshot } from "../statistics/live.ts";

/** How a view steers a run. */
export interface Control {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  /** Asks the run to end cleanly; the view stays open until it is closed. May be asked more than once. */
  stop(): void;
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

export interface View {
  /** Shows the last state and leaves the terminal as it was found; once, however often it is called. */
  close(): Promise<void>;
}
