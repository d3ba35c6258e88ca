import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveStatistics } from "../../src/statistics/live.ts";
import { showPlain } from "../../src/terminal/plain.ts";
import { dayMs, syntheticDay } from "./synthetic-run.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a plain line comes each five seconds and one at the end", async () => {
  const statistics = new LiveStatistics({ untilMs: dayMs, expectedQueries: null, windowMs: dayMs / 12 });
  const facts = [...syntheticDay(4800)];
  const lines: string[] = [];
  const control = { paused: false, pause() {}, resume() {}, stop() {} };
  const view = showPlain({
    title: "one\u001b[2J-day",
    statistics: () => statistics.snapshot(),
    control,
    clock: () => Date.now(),
    stderr: { write: (text) => lines.push(text) },
  });
  vi.advanceTimersByTime(4999);
  expect(lines).toEqual([]);
  for (const fact of facts.splice(0, facts.length / 2)) statistics.listen(fact);
  vi.advanceTimersByTime(1);
  control.paused = true;
  vi.advanceTimersByTime(5000);
  control.paused = false;
  for (const fact of facts) statistics.listen(fact);
  vi.advanceTimersByTime(2000);
  await view.close();
  await view.close();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    "one-day: day 1 11:59:42, 50.0%, 2,400 queries done, 0 in flight, 3,840 messages/s, 5 s left\n",
    "one-day: day 1 11:59:42, 50.0%, 2,400 queries done, 0 in flight, 3,840 messages/s, 5 s left, paused\n",
    "one-day: day 2 00:00:00, 100.0%, 4,800 queries done, 0 in flight, 5,486 messages/s\n",
  ]);
});
