import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { InputError } from "../../errors.ts";
import { packageRoot } from "../../package-root.ts";
import { sha256 } from "../../trace/hash.ts";

const share = z.number().min(0).max(1);
const positive = z.number().positive();
const notNegative = z.number().min(0);

/** How a reader judges pages. A page's worth is in [0, 1] before the noise. */
const judgementSchema = z.strictObject({
  /** Worth that the first of the pages of a search has over a last one, on trust in the search engine. */
  "trust-in-order": notNegative,
  /** Scale of the logistic noise on a page's worth. */
  noise: notNegative,
});

const malformedSchema = z.strictObject({
  /** Share of outputs that are no valid action. */
  rate: share,
  /** The same in the turn after the note that an output was invalid. */
  "rate-after-note": share,
  /** Weights of the kinds; a kind that does not fit the action is left out. */
  kinds: z.strictObject({
    "no-tags": notNegative,
    "unclosed-tag": notNegative,
    "two-actions": notNegative,
    "broken-json": notNegative,
    "sites-not-listed": notNegative,
    "prose-only": notNegative,
  }),
});

const userAgentSchema = z.strictObject({
  /** Chance that the first search is not the query as it stands but its keywords. */
  "rewrites-query": share,
  /** Search texts it knows to make of one query, the query itself included. */
  "search-texts": z.int().min(1),
  "sites-per-search": z.strictObject({ least: z.int().min(1), most: z.int().min(1), mean: positive }),
  /**
   * Utilities of a site: for matching words, for its name in the query, for being broad, for one of the latest visits
   * having been to it; and the Gumbel noise's scale.
   */
  "choice-of-sites": z.strictObject({
    "match-weight": notNegative,
    "named-weight": notNegative,
    "broad-weight": notNegative,
    "visited-weight": notNegative,
    temperature: positive,
  }),
  judgement: judgementSchema,
  /** Worth of the best page from which on it is satisfied. */
  "satisfied-at": z.number(),
  /** Chance to search on, satisfied or not. */
  persistence: z.strictObject({ satisfied: share, unsatisfied: share }),
  /** Chance that a further search has another text than the one before. */
  "new-text": share,
  /** Chance, where the text is new, that a site which reported pages is asked again, per site. */
  "asks-again": share,
  /** Pages of an answer: at most so many, and only those worth at least so much; the best one always. */
  answer: z.strictObject({ most: z.int().min(1), "worth-at-least": z.number() }),
  /** What it infers a person's intent from: the titles of so many last visits, of which it keeps so many words. */
  history: z.strictObject({ pages: z.int().min(1), words: z.int().min(1) }),
  /** Chance to know a fact of general knowledge without the web, the same facts always. */
  "parametric-knowledge": share,
  /** A short answer: worth of a sentence to take it from; chance to guess where nothing is known. */
  "short-answer": z.strictObject({ "worth-at-least": z.number(), guesses: share }),
  /** A report: pages it draws on, at most and from which worth on; sentences it takes of each. */
  report: z.strictObject({
    most: z.int().min(1),
    "worth-at-least": z.number(),
    "sentences-per-page": z.int().min(1),
  }),
  malformed: malformedSchema,
});

const contentAgentSchema = z.strictObject({
  /** Searches it knows to make for one request, at most. */
  "search-texts": z.int().min(1),
  judgement: judgementSchema,
  "satisfied-at": z.number(),
  persistence: z.strictObject({ satisfied: share, unsatisfied: share }),
  /** Pages it hands over: at most so many, and only those worth at least so much. */
  answer: z.strictObject({ most: z.int().min(1), "worth-at-least": z.number() }),
  malformed: malformedSchema,
});

const tokensSchema = z.strictObject({ median: positive, spread: notNegative });

const behaviour = {
  "user-agent": userAgentSchema,
  "content-agent": contentAgentSchema,
  /** Chance to follow the note that a long history could be summarised. */
  "summarises-when-reminded": share,
  /** Chance to end the work when a note advises it. */
  "ends-when-reminded": share,
  /** Tokens of thought in one turn: log-logistic, `spread` on the scale of the logarithm. */
  "thought-tokens": tokensSchema,
};

const profileSchema = z.strictObject({
  ...behaviour,
  /** What is different without thinking: any part of the above. */
  "without-thinking": z.record(z.string(), z.unknown()).default({}),
});
type ProfileFile = z.infer<typeof profileSchema>;

/** The parameters of one way to behave. */
export type Profile = Omit<ProfileFile, "without-thinking">;
export type SiteTaste = Profile["user-agent"]["choice-of-sites"];
export type Malformed = z.infer<typeof malformedSchema>;
export type Judgement = z.infer<typeof judgementSchema>;

/** A profile's file: how the surrogate behaves with and without thinking, and what it is called. */
export interface LoadedProfile {
  /** `surrogate/<profile>@<first 12 hex digits of the file's sha256>` */
  readonly identity: string;
  readonly thinking: Profile;
  readonly notThinking: Profile;
}

const directory = join(packageRoot, "src", "models", "surrogate", "profiles");

/**
 * Reads a profile: one of those that come with awesim, by its name, or any by the path of its YAML file.
 * @throws InputError when there is none, or when it is not a profile
 */
export function loadProfile(nameOrPath: string): LoadedProfile {
  const file = fileOf(nameOrPath);
  const text = readProfileText(nameOrPath);
  const { "without-thinking": differences, ...thinking } = check(parseYaml(text, file), file);
  const notThinking = check(merged(thinking, differences), file);
  const name = basename(file).replace(/\.ya?ml$/, "");
  return { identity: `surrogate/${name}@${sha256(text).slice(0, 12)}`, thinking, notThinking };
}

function fileOf(nameOrPath: string): string {
  return /\.ya?ml$/.test(nameOrPath) ? nameOrPath : join(directory, `${nameOrPath}.yaml`);
}

/** The text of a profile's file, by its name or path. Throws an InputError when there is none. */
export function readProfileText(nameOrPath: string): string {
  try {
    return readFileSync(fileOf(nameOrPath), "utf8");
  } catch {
    const existing = readdirSync(directory).map((each) => basename(each, ".yaml"));
    throw new InputError(
      `expected a profile of the surrogate, ${existing.sort().join(" or ")}, or the path of a YAML file; got ${nameOrPath}`,
    );
  }
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new InputError(`expected YAML: ${(error as Error).message.split("\n")[0]}`, { file });
  }
}

function check(value: unknown, file: string): ProfileFile {
  const result = profileSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  throw new InputError(issue.message, { file, field: issue.path.join(".") });
}

/** `base` with the leaves of `changes` in place of its own. */
function merged(base: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>>) {
  const result: Record<string, unknown> = { ...base };
  for (const [key, change] of Object.entries(changes)) {
    const old = base[key];
    result[key] = isObject(old) && isObject(change) ? merged(old, change) : change;
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
