import { createHash } from "node:crypto";
import type { Document } from "../corpora/format.ts";

/** A page as agents read it and as it is embedded. */
export function pageText({ title, text }: Pick<Document, "title" | "text">): string {
  return `${title}\n\n${text}`;
}

/** The SHA-256 of a text in UTF-8, in hex. */
export function textSha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A text's length in tokens as English text has them on average: one for four characters. */
export function tokenEstimate(text: string): number {
  return Math.ceil(text.length / 4);
}
