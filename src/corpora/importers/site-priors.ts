import { readFileSync } from "node:fs";
import { z } from "zod";
import { InputError } from "../../errors.ts";
import { requireFile } from "../files.ts";
import { checked } from "../json-lines.ts";

const listSchema = z.object({ header: z.array(z.string()), rows: z.array(z.array(z.string())) });

/**
 * How popular sites really are, by a list of Common Crawl's web graph (cc-webgraph-statistics, of domains or hosts):
 * `{"header": [.., "#pr_val", "#host_rev", ..], "rows": [[..]]}` with names reversed (`com.example.www`).
 */
export class SitePriors {
  private readonly pageRank = new Map<string, number>();

  /** Throws an InputError when the file is no such list. */
  constructor(file: string) {
    requireFile(file);
    const { header, rows } = checked(listSchema, parsed(file), { file });
    const name = header.indexOf("#host_rev");
    const value = header.indexOf("#pr_val");
    if (name < 0 || value < 0) {
      throw new InputError("names no columns #host_rev and #pr_val; give a list of cc-webgraph-statistics", {
        file,
        field: "header",
      });
    }
    rows.forEach((row, index) => {
      const pageRank = Number(row[value]);
      const reversed = row[name];
      if (reversed === undefined || !(pageRank >= 0)) {
        throw new InputError(`expected a reversed host name and a PageRank, got ${JSON.stringify(row).slice(0, 80)}`, {
          file,
          field: `rows.${index}`,
        });
      }
      this.pageRank.set(reversed.split(".").reverse().join("."), pageRank);
    });
  }

  /**
   * Each site's share of the PageRank of all given sites, in [0, 1], summing to 1. A host that is not listed has the
   * value of the closest domain above it that is; without any, 0.
   */
  popularity(sites: readonly string[]): Map<string, number> {
    const values = sites.map((site) => this.valueOf(site));
    const total = values.reduce((sum, value) => sum + value, 0);
    return new Map(sites.map((site, i) => [site, total === 0 ? 0 : (values[i] as number) / total]));
  }

  private valueOf(site: string): number {
    for (let name = site; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
      const value = this.pageRank.get(name);
      if (value !== undefined) return value;
    }
    return 0;
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InputError(`is not JSON (${(error as Error).message}); give a list of cc-webgraph-statistics`, { file });
  }
}
