import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveStatistics } from "../../src/statistics/live.ts";
import { showView } from "../../src/terminal/view.ts";
import { FakeInput, FakeOutput } from "./fake-terminal.ts";
import { dayMs, syntheticDay } from "./synthetic-run.ts";

// Where Ink finds one of these it writes no frame but the last.
vi.hoisted(() => {
  delete process.env["CI"];
  delete process.env["CONTINUOUS_INTEGRATION"];
});

const enterScreen = "\u001b[?1049h";
const leaveScreen = "\u001b[?1049l";

const wipe = /\u001b\[[23]J|\u001bc/;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A view of a run that goes on by itself with each snapshot taken. */
function openView({ clock = () => Date.now(), keyboard = true } = {}) {
  const statistics = new LiveStatistics({ untilMs: dayMs, expectedQueries: null, windowMs: dayMs / 12 });
  const facts = syntheticDay(4800);
  const stdout = new FakeOutput(100, 30);
  const stdin = new FakeInput(keyboard);
  const calls: string[] = [];
  const control = {
    paused: false,
    pause: () => {
      calls.push("pause");
      control.paused = true;
    },
    resume: () => {
      calls.push("resume");
      control.paused = false;
    },
    stop: () => void calls.push("stop"),
  };
  let snapshots = 0;
  const view = showView({
    title: "one-day",
    statistics: () => {
      snapshots += 1;
      for (let i = 0; i < 100; i++) statistics.listen(facts.next().value!);
      return statistics.snapshot();
    },
    site: statistics.site,
    timeline: statistics.timeline,
    control,
    clock,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
  });
  return { view, stdout, stdin, control, calls, snapshots: () => snapshots };
}

/** Lets what React does in its own time happen. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("keys", () => {
  test("space pauses and resumes, q and Ctrl-C stop, any other does nothing", async () => {
    const { view, stdin, stdout, calls } = openView();
    await settle();
    expect(stdin.raw).toBe(true);
    stdin.press(" ");
    expect(calls).toEqual(["pause"]);
    vi.advanceTimersByTime(100);
    expect(stdout.text).toContain("paused");
    stdin.press(" ");
    stdin.press("x");
    stdin.press("\u001b[A");
    stdin.press("q");
    stdin.press("\u0003");
    expect(calls).toEqual(["pause", "resume", "stop", "stop"]);
    vi.advanceTimersByTime(100);
    expect(stdout.text).toContain("stopping");
    await view.close();
    expect(stdin.raw).toBe(false);
  });

  test("pressed at once all count", async () => {
    const { view, stdin, calls } = openView();
    await settle();
    stdin.press(" q");
    expect(calls).toEqual(["pause", "stop"]);
    await view.close();
  });

  test("? shows what the keys do", async () => {
    const { view, stdin, stdout } = openView();
    await settle();
    stdin.press("?");
    vi.advanceTimersByTime(100);
    expect(stdout.text).toContain("hide this help");
    await view.close();
  });

  test("are neither read nor offered where there is no keyboard", async () => {
    const { view, stdin, stdout } = openView({ keyboard: false });
    await settle();
    expect(stdin.raw).toBe(false);
    expect(stdout.text).not.toContain("space pause");
    await view.close();
  });
});

describe("frames", () => {
  test("come at most 20 a second, each from one snapshot", async () => {
    const { view, snapshots } = openView({ clock: () => 0 });
    vi.advanceTimersByTime(1000);
    expect(snapshots()).toBe(21);
    await view.close();
  });

  test("come less often where drawing is slow, so that it takes a twentieth of the time", async () => {
    let now = 0;
    // A frame reads the clock three times: drawing it seems to take 10 ms.
    const { view, snapshots } = openView({ clock: () => (now += 5) });
    vi.advanceTimersByTime(10_000);
    expect(snapshots()).toBeGreaterThanOrEqual(49);
    expect(snapshots()).toBeLessThanOrEqual(51);
    await view.close();
  });

  test("stop when the view is closed", async () => {
    const { view, stdout, snapshots } = openView();
    await Promise.all([view.close(), view.close()]);
    expect(stdout.text.split("ended")).toHaveLength(2);
    const [text, taken] = [stdout.text, snapshots()];
    vi.advanceTimersByTime(5000);
    stdout.resize(60, 20);
    expect(stdout.text).toBe(text);
    expect(snapshots()).toBe(taken);
  });
});

describe("the terminal", () => {
  test("gets its screen back with the last frame left on it", async () => {
    const { view, stdout } = openView();
    vi.advanceTimersByTime(500);
    await view.close();
    expect(stdout.text.startsWith(enterScreen)).toBe(true);
    expect(stdout.text.split(leaveScreen)).toHaveLength(2);
    const [, left] = stdout.text.split(leaveScreen) as [string, string];
    expect(left).toContain("one-day");
    expect(left).toContain("ended");
    expect(left).not.toContain("space pause");
    expect(left.split("\n").length).toBeLessThanOrEqual(30);
  });

  test("is never wiped, made smaller or larger", async () => {
    const { view, stdout } = openView();
    for (const [columns, rows] of [
      [200, 60],
      [60, 20],
      [60, 8],
      [20, 3],
      [100, 30],
    ] as const) {
      stdout.resize(columns, rows);
      vi.advanceTimersByTime(200);
    }
    await view.close();
    expect(stdout.text).not.toMatch(wipe);
  });

  test("gets no colour where NO_COLOR is set", async () => {
    vi.stubEnv("NO_COLOR", "1");
    const { view, stdout } = openView();
    vi.advanceTimersByTime(500);
    await view.close();

    expect(stdout.text).not.toMatch(/\u001b\[[\d;]*m/);
  });

  test("that is read aloud keeps its screen and gets a frame each five seconds", async () => {
    vi.stubEnv("INK_SCREEN_READER", "true");
    const { view, stdout, snapshots } = openView();
    vi.advanceTimersByTime(10_100);
    expect(snapshots()).toBeLessThanOrEqual(4);
    await view.close();
    expect(stdout.text).not.toContain(enterScreen);
    expect(stdout.text).not.toContain("█");
    expect(stdout.text).toContain("site-00.example");
  });
});
