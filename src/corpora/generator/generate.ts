import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { Streams } from "../../kernel/random.ts";
import { packageRoot } from "../../package-root.ts";
import type { CorpusHead } from "../format.ts";
import { CorpusWriter } from "../write.ts";
import { generateWorld } from "./coverage.ts";
import { type Parameters, parametersWith } from "./parameters.ts";
import { planSites } from "./sites.ts";

/** Goes up whenever the same options give other bytes than before. */
const generatorVersion = 3;

export interface GenerateOptions {
  readonly seed?: number | string;
  /** How many sites; at least 10. */
  readonly sites?: number;
  /** How many documents; at least ten a site. */
  readonly documents?: number;
  readonly parameters?: Partial<Parameters>;
}

/** What was written. */
export interface Generated {
  readonly sites: number;
  readonly documents: number;
  readonly topics: Readonly<Record<string, number>>;
}

/** The options with the defaults of corpora/atlas. Throws an InputError for a number that is out of range. */
export function generatorOptions(options: GenerateOptions) {
  const { seed = 1, sites = 100, documents = 9000 } = options;
  if (!(Number.isInteger(sites) && sites >= 10 && sites <= 10_000)) {
    throw new InputError(`expected a whole number from 10 to 10000, got ${sites}`, { field: "sites" });
  }
  if (!(Number.isInteger(documents) && documents >= 10 * sites)) {
    throw new InputError(`expected a whole number of at least ten a site, here ${10 * sites}, got ${documents}`, {
      field: "documents",
    });
  }
  return { seed, sites, documents, parameters: parametersWith(options.parameters) };
}

/**
 * Generates a corpus: the same options give the same bytes. Documents are written one by one, and what is kept grows
 * with the sites and topics, never with the documents. `progress` hears now and then how many are written.
 *
 * `target` is a directory that does not exist yet, or a writer that the caller finishes.
 */
export function generateCorpus(
  options: GenerateOptions,
  target: string | CorpusWriter,
  progress: (documents: number) => void = () => {},
): Generated {
  const resolved = generatorOptions(options);
  const writer = typeof target === "string" ? new CorpusWriter(target, { gzip: true }) : target;
  try {
    const generated = write(resolved, writer, progress);
    if (typeof target === "string") writer.finish();
    return generated;
  } catch (error) {
    if (typeof target === "string") writer.abort();
    throw error;
  }
}

function write(
  options: ReturnType<typeof generatorOptions>,
  writer: CorpusWriter,
  progress: (documents: number) => void,
): Generated {
  const streams = new Streams(options.seed, 0);
  const plan = planSites(options.sites, options.parameters, streams);
  writer.writeHead(head(options));
  for (const { site } of plan.sites) writer.writeSite(site);
  let documents = 0;
  const topics: Record<string, number> = {};
  for (const item of generateWorld(options.documents, plan, options.parameters, streams)) {
    if (item.kind === "page") {
      writer.writeDocument(item.page.document);
      if (++documents % 1000 === 0) progress(documents);
    } else {
      writer.writeTopic(item.task, item.topic);
      topics[item.task] = (topics[item.task] ?? 0) + 1;
    }
  }
  return { sites: plan.sites.length, documents, topics };
}

function head({ seed, sites, documents, parameters }: ReturnType<typeof generatorOptions>): CorpusHead {
  return {
    name: "atlas",
    version: String(generatorVersion),
    language: "en",
    licence: "MIT",
    description:
      `${sites} fictional websites that write about an invented world, with exact ground truth. ` +
      "No person, place, product or finding in it is real.",
    generator: { version: generatorVersion, sourceSha256: generatorSha256(), seed, sites, documents, parameters },
  };
}

/**
 * The hash of the generator's own source: with the options it names a corpus.
 */
export function generatorSha256(): string {
  const folder = join(packageRoot, "src", "corpora", "generator");
  const files = (readdirSync(folder, { recursive: true }) as string[]).map((file) => file.replaceAll("\\", "/"));
  const hash = createHash("sha256");
  for (const file of files.filter((name) => name.endsWith(".ts")).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n"));
  }
  return hash.digest("hex");
}
