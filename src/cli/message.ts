import { clean } from "../terminal/clean.ts";

/** What went wrong, as one line that a terminal can show, whatever texts the message quotes. */
export function messageOf(error: unknown): string {
  return clean(error instanceof Error ? error.message : String(error));
}

/** An error of the operating system: a full disk, a missing permission. Its message says all there is to say. */
export function isSystemError(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === "string" && typeof syscall === "string";
}
