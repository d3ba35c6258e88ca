import { crc32 } from "node:zlib";

export const tapeFormat = { format: "awesim-tape", version: 1 } as const;

/** A recorded answer of a port. */
export interface TapeLine {
  /** Content hash of the whole request. */
  readonly key: string;
  readonly port: "model" | "index";
  /** Who asked, and which of its equal requests this is; absent for pure ports, whose answers depend on content alone. */
  readonly caller?: string;
  readonly ordinal?: number;
  /** What the key is made of, each part by itself, to explain a miss. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
  /** Who really answered, where it was not the one that was asked: a surrogate in the place of an endpoint. */
  readonly by?: string;
  /** How long the answer really took, in ms: information only. */
  readonly realMs?: number;
}

/** Under which an answer is looked up again. */
export function tapeAddress(line: Pick<TapeLine, "key" | "caller" | "ordinal">): string {
  return line.caller === undefined ? line.key : `${line.key} ${line.caller} ${line.ordinal ?? 0}`;
}

/** The line's JSON with its checksum as the last member, and a newline. */
export function formatTapeLine(line: TapeLine): string {
  const open = JSON.stringify(line).slice(0, -1);
  return `${open},"crc":"${checksum(open)}"}\n`;
}

const crcMember = /,"crc":"([0-9a-f]{8})"\}$/;

/** Reads a line without its newline; null when it is damaged: no such JSON, or the checksum is off. */
export function parseTapeLine(text: string): TapeLine | null {
  const match = crcMember.exec(text);
  if (match === null || checksum(text.slice(0, match.index)) !== match[1]) return null;
  try {
    return JSON.parse(text) as TapeLine;
  } catch {
    return null;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
