import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { type Document, documentSchema, type Site, siteSchema } from "../corpora/format.ts";
import { checked } from "../corpora/json-lines.ts";
import { InputError } from "../errors.ts";
import { readSource, readText } from "./source.ts";

/** A site that an intervention adds, with its pages. */
export interface AddedSite {
  readonly site: Site;
  readonly documents: readonly Document[];
  /** Of the texts of both files. */
  readonly sha256: string;
  /** The file of the site as the scenario names it, and its text, and those of its documents. */
  readonly files: { readonly site: string; readonly documents: string };
}

const fileSchema = z.strictObject({ site: siteSchema, documents: z.string().min(1) });

/**
 * Reads a site from a YAML file `{ site, documents }`; `documents` names a file of JSON lines beside it, in the format
 * of a corpus. Throws an `InputError` for the first thing that is wrong.
 */
export function readAddedSite(file: string): AddedSite {
  const source = readSource(file);
  const { site, documents: name } = checked(fileSchema, source.data, { file });
  const documentsFile = resolve(dirname(file), name);
  const text = readText(documentsFile);
  const documents = readPages(documentsFile, text, site.id);
  const sha256 = createHash("sha256")
    .update(`${JSON.stringify(site)}\n${documents.map((each) => JSON.stringify(each)).join("\n")}`)
    .digest("hex");
  return {
    site,
    documents,
    sha256,
    files: { site: JSON.stringify({ site, documents: `${site.id}.jsonl` }), documents: text },
  };
}

function readPages(file: string, text: string, site: string): Document[] {
  const documents: Document[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    const where = { file, line: index + 1 };
    if (line.trim() === "") continue;
    const document = checked(documentSchema, parsed(line, where), where);
    if (document.site !== site) {
      throw new InputError(`expected a page of ${site}, got one of ${document.site}`, { ...where, field: "site" });
    }
    const first = lineOf.get(document.id);
    if (first !== undefined) {
      throw new InputError(`"${document.id}" stands on line ${first} already; ids are unique`, {
        ...where,
        field: "id",
      });
    }
    lineOf.set(document.id, index + 1);
    documents.push(document);
  }
  if (documents.length === 0) throw new InputError("holds no page; a site has at least one", { file });
  return documents;
}

function parsed(line: string, where: { file: string; line: number }): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new InputError(`is not a JSON object: ${(error as Error).message}`, where);
  }
}
