import "./production.ts";
import { render } from "ink";
import { createElement } from "react";
import type { View, ViewOptions } from "./control.ts";
import type { RunState } from "./frame.ts";
import { looksOf } from "./looks.ts";
import { PaceMeter } from "./pace.ts";
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
  options: ViewOptions & { readonly stdout: NodeJS.WriteStream; readonly stdin: NodeJS.ReadStream },
): View {
  const { title, statistics, control, clock, stdout, stdin } = options;
  const looks = looksOf(process.env);
  const meter = new PaceMeter();
  let help = false;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  const state = (): RunState => (stopping ? "stopping" : control.paused ? "paused" : "running");
  const frame = (state: RunState): FrameProps => {
    const snapshot = statistics();
    const pace = meter.read(snapshot, clock(), control.paused);
    return {
      content: { title, snapshot, pace, state, keys: stdin.isTTY && state !== "ended", help },
      size: { columns: stdout.columns || 80, rows: stdout.rows || 24 },
      looks,
    };
  };
  const press = (key: string): void => {
    if (key === " " && control.paused) control.resume();
    else if (key === " ") control.pause();
    else if (key === "?") help = !help;
    else if (key === "q") {
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
