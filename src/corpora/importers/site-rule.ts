import { createHash } from "node:crypto";
import { InputError } from "../../errors.ts";
import { siteIdSchema } from "../format.ts";

/**
 * Which site a document of an imported set belongs to:
 * - `auto`: its source, where the set names sources; else the host of its address; else one site for all;
 * - `one`: one site for all;
 * - a number: so many sites of about the same size, each document's drawn by the hash of its id.
 */
export type SiteRule = "auto" | "one" | number;

const mostParts = 10_000;

/** The rule a user wrote. Throws an InputError when it is none. */
export function parseSiteRule(text: string): SiteRule {
  if (text === "auto" || text === "one") return text;
  const parts = Number(text);
  if (Number.isSafeInteger(parts) && parts >= 1 && parts <= mostParts) return parts;
  throw new InputError(`expected auto, one or a number of sites from 1 to ${mostParts}, got ${JSON.stringify(text)}`, {
    field: "--sites",
  });
}

/** A part of a set that its publisher keeps apart, such as a journal, as a site: its host name and its name. */
export interface Source {
  readonly host: string;
  readonly name: string;
}

/** The site of a document: its host name, and what people call it. `set` names the whole set. */
export function siteByRule(
  rule: SiteRule,
  document: { readonly id: string; readonly url: string; readonly source?: Source | undefined },
  set: string,
): Source {
  if (typeof rule === "number") {
    const part = String(hashOf(document.id) % rule).padStart(String(rule - 1).length, "0");
    return { host: `part-${part}.${set}.example`, name: `${set}, part ${part}` };
  }
  if (rule === "auto") {
    if (document.source !== undefined) return document.source;
    const host = hostOf(document.url);
    if (host !== null) return { host, name: host };
  }
  return { host: `${set}.example`, name: set };
}

/** The host name in a web address, in lower case; null when there is none that can be a site's id. */
export function hostOf(url: string): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.replaceAll("_", "-").replace(/\.$/, "");
  return siteIdSchema.safeParse(host).success ? host : null;
}

/** A text as part of a host name: letters, digits and single hyphens; null when nothing is left of it. */
export function hostLabel(text: string): string | null {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  return label === "" ? null : label;
}

/** 48 bits of SHA-256: the same on every machine. */
const hashOf = (id: string): number => createHash("sha256").update(id).digest().readUIntBE(0, 6);
