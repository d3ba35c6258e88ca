import { Box, render, Text, useInput } from "ink";
import { type ReactNode, useLayoutEffect } from "react";
import type { View, ViewOptions } from "./control.ts";
import { type FrameContent, frameLines, type RunState, type Size } from "./frame.ts";
import type { Line, Looks, Tone } from "./lines.ts";
import { PaceMeter } from "./pace.ts";

/** A frame at most every 1/20 s, and drawing takes at most a twentieth of real time: what is left is the run's. */
const frameMs = 50;
const drawingShare = 0.05;
/** A screen that is read aloud needs time to be heard. */
const spokenFrameMs = 5000;

const enterScreen = "\u001b[?1049h\u001b[H";
const leaveScreen = "\u001b[?1049l";

const toneProps: Record<Tone, { color?: string; bold?: boolean; dimColor?: boolean }> = {
  plain: {},
  title: { bold: true },
  faint: { dimColor: true },
  good: { color: "green" },
  bad: { color: "yellow" },
  accent: { color: "cyan" },
};

/**
 * Shows a run live. The frames are drawn on the terminal's alternate screen, where a resize leaves no traces and the
 * scrollback stays untouched; the last one is then left on the ordinary screen.
 */
export function showView(
  options: ViewOptions & { readonly stdout: NodeJS.WriteStream; readonly stdin: NodeJS.ReadStream },
): View {
  const { title, statistics, control, clock, stdout, stdin } = options;
  const meter = new PaceMeter();
  const looks = looksOf(process.env);
  const colour = !process.env["NO_COLOR"];
  let help = false;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  const frame = (ended: boolean): ReactNode => {
    const snapshot = statistics();
    const pace = meter.read(snapshot, clock(), control.paused);
    const state = ended ? "ended" : stopping ? "stopping" : control.paused ? "paused" : "running";
    const content = { title, snapshot, pace, state: state as RunState, keys: stdin.isTTY, help };
    return <Frame content={content} size={sizeOf(stdout)} looks={looks} colour={colour} />;
  };
  const press = (key: string): void => {
    if (key === " ") control.paused ? control.resume() : control.pause();
    if (key === "?") help = !help;
    if (key === "q") {
      stopping = true;
      control.stop();
    }
  };
  const screen = (): ReactNode => (
    <>
      {!looks.spoken && <OnAlternateScreen stdout={stdout} />}
      {stdin.isTTY && <Keys press={press} />}
      {frame(false)}
    </>
  );
  const inkOptions = { stdout: rowless(stdout), stdin, exitOnCtrlC: false, isScreenReaderEnabled: looks.spoken };

  if (!looks.spoken) stdout.write(enterScreen);
  const instance = render(screen(), inkOptions);
  const draw = (): void => {
    clearTimeout(timer);
    const startMs = clock();
    instance.rerender(screen());
    const tookMs = clock() - startMs;
    timer = setTimeout(draw, looks.spoken ? spokenFrameMs : Math.max(frameMs, tookMs / drawingShare));
  };
  draw();
  stdout.on("resize", draw);

  return {
    close: async () => {
      clearTimeout(timer);
      stdout.off("resize", draw);
      instance.unmount();
      await instance.waitUntilExit();
      render(frame(true), inkOptions).unmount();
    },
  };
}

/** One frame, drawn from lines that already fit. */
export function Frame(props: {
  readonly content: FrameContent;
  readonly size: Size;
  readonly looks: Looks;
  readonly colour: boolean;
}): ReactNode {
  const lines = frameLines(props.content, props.size, props.looks);
  return (
    <Box flexDirection="column">
      {lines.map((line, i) => (
        <TextLine key={i} line={line} colour={props.colour} />
      ))}
    </Box>
  );
}

function TextLine({ line, colour }: { readonly line: Line; readonly colour: boolean }): ReactNode {
  if (line.length === 0) return <Text> </Text>;
  return (
    <Text wrap="truncate-end">
      {line.map(({ text, tone }, i) => (
        <Text key={i} {...(colour ? toneProps[tone] : {})}>
          {text}
        </Text>
      ))}
    </Text>
  );
}

/** Hands each key pressed to `press`; Ctrl-C, which raw mode leaves to the program, as q. */
export function Keys({ press }: { readonly press: (key: string) => void }): ReactNode {
  useInput((input, { ctrl }) => {
    if (ctrl) {
      if (input === "c") press("q");
      return;
    }
    for (const key of input) press(key);
  });
  return null;
}

/** Gives the ordinary screen back when it is unmounted, which Ink sees to however the process ends. */
function OnAlternateScreen({ stdout }: { readonly stdout: NodeJS.WriteStream }): ReactNode {
  useLayoutEffect(() => () => void stdout.write(leaveScreen), [stdout]);
  return null;
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

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { columns: columns || 80, rows: rows || 24 };
}

function looksOf(environment: NodeJS.ProcessEnv): Looks {
  const { LC_ALL, LC_CTYPE, LANG, INK_SCREEN_READER } = environment;
  const unicode = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "utf-8");
  return { unicode, spoken: INK_SCREEN_READER === "true" };
}
