import type { ImportOptions, ImportReport } from "../../corpora/importers/corpus-import.ts";
import type { SiteRule } from "../../corpora/importers/site-rule.ts";
import { clean } from "../../terminal/clean.ts";
import { print } from "../options.ts";
import { progressLine } from "../progress-line.ts";

/** The options that every format has, as commander gives them. */
export interface CommonOptions {
  readonly out: string;
  readonly sites: SiteRule;
  readonly sitePriors?: string;
  readonly json?: true;
}

/** Bad records named one by one; the JSON names up to a thousand. */
const badRecordsShown = 20;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs an import and prints what was found and left out. An interrupted one leaves nothing behind.
 * @returns the exit code: 0 done, 130 interrupted
 */
export async function runImport(
  { out, sites, sitePriors, json }: CommonOptions,
  importer: (options: ImportOptions) => Promise<ImportReport>,
): Promise<number> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const shown = progressLine(process.stderr);
  for (const signal of signals) process.on(signal, abort);
  try {
    const report = await importer({
      out,
      sites,
      sitePriors,
      progress: (documents) => shown.progress(documents, null, "documents"),
      signal: stop.signal,
    });
    shown.end();
    printReport(out, json, report);
    return 0;
  } catch (error) {
    shown.end();
    if (!stop.signal.aborted) throw error;
    process.stderr.write("interrupted; nothing was written\n");
    return 130;
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}

function printReport(out: string, json: true | undefined, report: ImportReport): void {
  const { firstBadRecords, badRecords, counts } = report;
  for (const { record, reason } of firstBadRecords.slice(0, badRecordsShown)) {
    process.stderr.write(`left out ${clean(record)}: ${clean(reason)}\n`);
  }
  if (badRecords > badRecordsShown) process.stderr.write(`left out ${badRecords - badRecordsShown} more records\n`);
  const topics = Object.entries(report.topics).map(([task, count]) => `${count} topics of ${task}`);
  const lines = [
    `${out}: ${report.sites} sites, ${report.documents} documents, ${topics.join(", ") || "no topics"}`,
    `${report.documentsWithoutText} documents without text`,
    `${report.judgements} judgements`,
    `${report.uncoveredTopics} topics whose ground truth names documents that are not there (runs leave them out)`,
    ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
    `${badRecords} records could not be used`,
  ];
  print(json, { out, ...report }, lines.join("\n"));
}
