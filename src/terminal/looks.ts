import type { Looks } from "./lines.ts";

/** What a terminal can show, by the environment's variables. */
export function looksOf({ NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG, INK_SCREEN_READER }: NodeJS.ProcessEnv): Looks {
  return {
    colour: !NO_COLOR && TERM !== "dumb",
    unicode: /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "utf-8"),
    spoken: INK_SCREEN_READER === "true",
  };
}
