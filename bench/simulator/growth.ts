/**
 * Does a long run cost more a query than a short one? Time a query and peak memory at 1,000 and at 100,000 queries,
 * each in a process of its own that has filled its caches with a run of 5,000 queries before: `npm run bench:growth -- [long] [short]`.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Measured, measureRun, searchScenario } from "./run-scenario.ts";

const cache = process.env["AWESIM_CACHE"] ?? ".awesim";

if (process.argv[2] === "--measure") {
  await measureRun(searchScenario("qwen3-4b", 5000), cache);
  const scenario = searchScenario("qwen3-4b", Number(process.argv[3]));
  process.stdout.write(JSON.stringify(await measureRun(scenario, cache)));
} else {
  const [long = 100_000, short = 1000] = process.argv.slice(2).map(Number);
  const measure = (queries: number): Measured => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), "--measure", String(queries)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measured;
  };
  const shorts = [measure(short), measure(short), measure(short)];
  const one = shorts.sort((a, b) => a.processorSeconds - b.processorSeconds)[1] as Measured;
  const many = measure(long);
  const perQuery = (run: Measured): number => (1000 * run.processorSeconds) / run.queries;
  for (const run of [one, many]) {
    process.stdout.write(
      `${run.queries} queries: ${perQuery(run).toFixed(3)} ms of processor time a query, ${run.seconds.toFixed(1)} s in all, peak ${run.peakMemory.toFixed(0)} MB\n`,
    );
  }
  const ratio = (a: number, b: number): string => (a / b).toFixed(2);
  process.stdout.write(
    `long over short: time a query ${ratio(perQuery(many), perQuery(one))}, memory ${ratio(many.peakMemory, one.peakMemory)}\n`,
  );
}
