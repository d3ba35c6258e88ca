import { Transform, useInput } from "ink";
import { type ReactNode, useLayoutEffect } from "react";
import { type FrameContent, frameLines, type Size } from "./frame.ts";
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

/** A frame of a run that goes on: listens to the keys, and calls `leave` when it is unmounted. */
export function LiveFrame(
  props: FrameProps & { readonly press: (key: string) => void; readonly leave: () => void },
): ReactNode {
  const { press, leave, ...frame } = props;
  useLayoutEffect(() => leave, [leave]);
  useInput(
    (input, { ctrl }) => {
      // Raw mode leaves Ctrl-C to the program; other keys may come several at a time.
      if (ctrl && input === "c") press("q");
      if (!ctrl) for (const key of input) press(key);
    },
    { isActive: frame.content.keys },
  );
  return <Frame {...frame} />;
}
