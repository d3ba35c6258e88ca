import "./production.ts";
import { render } from "ink";
import { createElement } from "react";
import type { LiveSnapshot } from "../statistics/live.ts";
import type { View, ViewOptions, ViewPages } from "./control.ts";
import type { RunState } from "./frame.ts";
import { type Choice, choose, type Key, noChoice } from "./interaction.ts";
import { looksOf } from "./looks.ts";
import { PaceMeter } from "./pace.ts";
import type { Page } from "./pages.ts";
import { Frame, type FrameProps, LiveFrame } from "./screen.tsx";

/** At most 20 frames a second, fewer where drawing them would take more than a twentieth of real time. */
const frameMs = 50;
const drawingShare = 0.05;
const slowestFrameMs = 500;
/** A screen that is read aloud needs time to be heard. */
const spokenFrameMs = 5000;

const enterScreen = "\u001b[?1049h\u001b[H";
const leaveScreen = "\u001b[?1049l";

/**
 * Shows a run live. Frames are drawn on the terminal's alternate screen, where a resize leaves nothing behind and the
 * scrollback stays as it is; the last one is then left on the ordinary screen.
 * @param options.stdout a terminal; its size is read anew for each frame
 * @param options.stdin the keys, if it is a terminal too
 */
export function showView(
  options: ViewOptions & ViewPages & { readonly stdout: NodeJS.WriteStream; readonly stdin: NodeJS.ReadStream },
): View {
  const { title, statistics, control, clock, stdout, stdin } = options;
  const looks = looksOf(process.env);
  const meter = new PaceMeter();
  let choice = noChoice;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let latest: LiveSnapshot | null = null;

  const state = (): RunState => (stopping ? "stopping" : control.paused ? "paused" : control.over ? "over" : "running");
  const frame = (state: RunState): FrameProps => {
    const snapshot = statistics();
    latest = snapshot;
    const pace = meter.read(snapshot, clock(), control.paused);
    const { speed } = control;
    return {
      content: {
        title,
        snapshot,
        pace,
        state,
        keys: stdin.isTTY && state !== "ended",
        choice: state === "ended" ? noChoice : choice,
        page: state === "ended" ? null : pageOf(choice, snapshot, options),
        ...(speed === undefined ? {} : { speed }),
        scrubs: control.scrub !== undefined,
      },
      size: { columns: stdout.columns || 80, rows: stdout.rows || 24 },
      looks,
    };
  };
  const press = (key: Key): void => {
    const chosen = key === "stop" || latest === null ? null : choose(choice, key, latest);
    if (chosen !== null) choice = chosen;
    else if (key === " " && control.paused) control.resume();
    else if (key === " ") control.pause();
    else if (key === "+") control.setSpeed?.(faster(control.speed ?? null));
    else if (key === "-") control.setSpeed?.(slower(control.speed ?? null));
    else if (key === "left" || key === "right") control.scrub?.(key === "left" ? -1 : 1);
    else if (key === "q" || key === "stop") {
      stopping = true;
      control.stop();
    }
  };
  // Ink unmounts its tree however the process ends, and with it the terminal leaves the alternate screen.
  const leave = (): void => void (looks.spoken || stdout.write(leaveScreen));
  const live = () => createElement(LiveFrame, { ...frame(state()), press, leave });

  const inkOptions = {
    stdout: rowless(stdout),
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: looks.spoken,
  };
  if (!looks.spoken) stdout.write(enterScreen);
  const instance = render(live(), inkOptions);
  const draw = (): void => {
    clearTimeout(timer);
    const startMs = clock();
    instance.rerender(live());
    const restMs = Math.min(slowestFrameMs, (clock() - startMs) / drawingShare);
    timer = setTimeout(draw, looks.spoken ? spokenFrameMs : Math.max(frameMs, restMs));
  };
  timer = setTimeout(draw, frameMs);
  stdout.on("resize", draw);

  const close = async (): Promise<void> => {
    clearTimeout(timer);
    stdout.off("resize", draw);
    const exit = instance.waitUntilExit();
    instance.unmount();
    await exit;
    render(createElement(Frame, frame("ended")), inkOptions).unmount();
  };
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

/**
 * The terminal without its height. Ink wipes the scrollback when its last output was as high as the terminal, which
 * is so after the terminal was made smaller.
 */
function rowless(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  return new Proxy(stdout, {
    get: (target, key) => {
      if (key === "rows") return undefined;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function pageOf({ open }: Choice, { sites }: LiveSnapshot, { site, timeline }: ViewPages): Page | null {
  if (open === null) return null;
  const { kind, id } = open;
  if (kind === "query") return { kind, id, timeline: timeline(id) };
  return { kind, id, story: site(id), activity: sites.find((each) => each.site === id) ?? null };
}

/** A pace that people can watch, from which + and - go up and down. */
const firstSpeed = 600;
const [slowest, fastest] = [1, 1_000_000];

function faster(speed: number | null): number | null {
  return speed === null || speed * 2 > fastest ? null : speed * 2;
}

function slower(speed: number | null): number {
  return speed === null ? firstSpeed : Math.max(slowest, speed / 2);
}
