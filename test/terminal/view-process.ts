/** Shows the view of a made-up day that takes about a minute, for a person or for tmux to press keys at. */
import { performance } from "node:perf_hooks";
import { LiveStatistics } from "../../src/statistics/live.ts";
import { showView } from "../../src/terminal/view.ts";
import { dayMs, syntheticDay } from "./synthetic-run.ts";

const statistics = new LiveStatistics({ untilMs: dayMs, expectedQueries: 4800, windowMs: 7_200_000 });
const facts = syntheticDay(4800);
const control = {
  paused: false,
  pause: () => void (control.paused = true),
  resume: () => void (control.paused = false),
  stop: () => void finish(),
};

function step(): void {
  for (let i = 0; i < 20 && !control.paused; i++) {
    const { value } = facts.next();
    if (value === undefined) return void finish();
    statistics.listen(value);
    if (value.type === "message.sent") statistics.note("surrogate");
  }
}

async function finish(): Promise<void> {
  clearInterval(timer);
  await view.close();
  process.stdout.write("the driver ended\n");
}

const timer = setInterval(step, 10);
const view = showView({
  title: "one-day",
  statistics: () => statistics.snapshot(),
  site: statistics.site,
  timeline: statistics.timeline,
  control,
  clock: () => performance.now(),
  stdout: process.stdout,
  stdin: process.stdin,
});
