import { Transform, useInput } from "ink";
import { type ReactNode, useLayoutEffect } from "react";
import { type FrameContent, frameLines, type Size } from "./frame.ts";
import type { Key } from "./interaction.ts";
import { type Looks, textOf } from "./lines.ts";

export interface FrameProps {
  readonly content: FrameContent;
  readonly size: Size;
  readonly looks: Looks;
}

/**
 * One frame. Its lines already fit, so Ink is given blank ones to lay out and turns them into these as it writes:
 * it would measure each line, and keep each text it ever measured for as long as the process lives.
 */
export function Frame({ content, size, looks }: FrameProps): ReactNode {
  const lines = frameLines(content, size, looks).map((line) => textOf(line, looks.colour));
  return (
    <Transform transform={(_, i) => lines[i] ?? ""} accessibilityLabel={lines.join("\n")}>
      {lines.map(() => " ").join("\n")}
    </Transform>
  );
}

const shortNames = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  return: "enter",
  escape: "escape",
  tab: "tab",
  backspace: "backspace",
  delete: "backspace",
} as const;
const keyNames = Object.keys(shortNames) as (keyof typeof shortNames)[];

/** A frame of a run that goes on: listens to the keys, and calls `leave` when it is unmounted. */
export function LiveFrame(
  props: FrameProps & { readonly press: (key: Key) => void; readonly leave: () => void },
): ReactNode {
  const { press, leave, ...frame } = props;
  useLayoutEffect(() => leave, [leave]);
  useInput(
    (input, key) => {
      const named = keyNames.find((name) => key[name]);
      // Raw mode leaves Ctrl-C to the program; other keys may come several at a time.
      if (key.ctrl && input === "c") press("stop");
      else if (named !== undefined) press(shortNames[named]);
      else if (!key.ctrl && !key.meta) for (const each of input) press(each);
    },
    { isActive: frame.content.keys },
  );
  return <Frame {...frame} />;
}
