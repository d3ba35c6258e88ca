import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const socket = `awesim-view-${process.pid}`;
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

function tmux(...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync("tmux", ["-u", "-f", "/dev/null", "-L", socket, ...parameters], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, LANG: "C.UTF-8", TERM: "xterm-256color" },
  });
  if (status !== 0) throw new Error(`tmux ${parameters.join(" ")}: ${stderr}`);
  return stdout;
}

const screen = (): string => tmux("capture-pane", "-p");
const screenAndScrollback = (): string => tmux("capture-pane", "-p", "-S", "-");

async function until(holds: (screen: string) => boolean): Promise<string> {
  let last = "";
  for (let i = 0; i < 800; i++) {
    last = screen();
    if (holds(last)) return last;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error(`still on the screen:\n${last}`);
}

const lines = (text: string): string[] => text.trimEnd().split("\n");
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(!hasTmux)(`in a real terminal${hasTmux ? "" : " (skipped: no tmux here)"}`, () => {
  beforeAll(() => {
    const driver = `${process.execPath} --import tsx test/terminal/view-process.ts`;
    const command = `seq -f 'line %g' 1 40; env -u CI -u CONTINUOUS_INTEGRATION -u NODE_ENV ${driver}; sleep 60`;
    tmux("new-session", "-d", "-x", "60", "-y", "20", command);
  });

  afterAll(() => {
    tmux("kill-server");
  });

  test("the view follows a resize, pauses, stops, and leaves its last frame under what was there", async () => {
    const narrow = await until((text) => text.includes("running") && /queries [1-9]/.test(text));
    expect(lines(narrow)).toHaveLength(19);

    tmux("resize-window", "-x", "200", "-y", "60");
    await until((text) => / {3}Last messages/.test(text) && occurrences(text, "one-day") === 1);

    tmux("send-keys", "1", "Down");
    await until((text) => /›\S/.test(text) && !text.includes("Last messages"));
    tmux("send-keys", "Enter");
    await until((text) => text.includes("who asks it") && text.includes("esc back"));
    tmux("send-keys", "Escape");
    await until((text) => /›\S/.test(text));
    tmux("send-keys", "Escape");
    await until((text) => / {3}Last messages/.test(text));

    tmux("send-keys", "Space");
    const paused = await until((text) => text.includes("paused") && text.includes("space resume"));
    tmux("resize-window", "-x", "60", "-y", "20");
    // A screen may be looked at in the middle of a frame: wait for one that has all of it.
    const whole = (text: string): boolean => occurrences(text, "one-day") === 1 && text.includes("space resume");
    const smaller = await until((text) => lines(text).length === 19 && whole(text));
    const queries = /queries \S+ of/;
    expect(queries.exec(smaller)?.[0]).toBe(queries.exec(paused)?.[0]);

    tmux("send-keys", "q");
    await until((text) => text.includes("the driver ended"));
    const left = screenAndScrollback();
    for (let i = 1; i <= 40; i++) expect(occurrences(left, `line ${i}\n`)).toBe(1);
    expect(occurrences(left, "one-day")).toBe(1);
    expect(left).toMatch(/line 40\none-day +ended\n/);
  }, 180_000);
});
