import { TapeReader } from "../trace/tape-reader.ts";
import type { Older } from "./live-ports.ts";
import { type ReplayFrom, readManifest } from "./manifest.ts";

/** Opens the tape of the run whose answers are taken over. Throws an InputError when it is no run. */
export function openOlder(replayFrom: ReplayFrom | null): Older | null {
  if (replayFrom === null) return null;
  readManifest(replayFrom.path);
  return { tape: new TapeReader(replayFrom.path, "leave out"), onMiss: replayFrom.onMiss };
}
