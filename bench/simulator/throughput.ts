/**
 * The whole simulator with the surrogate: queries, model turns and messages a second, caches warm, trace, tape and
 * tables on: `npm run bench:simulator -- [queries]`. The first, cold run of each profile is reported apart.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { table } from "../../src/terminal/table.ts";
import { measureRun, searchScenario } from "./run-scenario.ts";

const cache = process.env["AWESIM_CACHE"] ?? ".awesim";
const repeats = 3;

async function main(): Promise<void> {
  const wanted = Number(process.argv[2] ?? 10_000);
  const sizes = new Map([
    ["qwen3-4b", wanted],
    ["gemini-3-flash", Math.ceil(wanted / 5)],
  ]);
  const rows: (string | number | null)[][] = [];
  for (const [profile, queries] of sizes) {
    const cold = await measureRun(searchScenario(profile, queries), cache);
    const coldRate = Math.round(cold.turns / cold.seconds);
    process.stdout.write(`${profile}, first run (search texts may have to be embedded): ${coldRate} turns/s\n`);
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const run = await measureRun(searchScenario(profile, queries), cache);
      const rate = (count: number): number => Math.round(count / run.seconds);
      const perCpu = Math.round(run.turns / run.processorSeconds);
      rows.push([
        profile,
        repeat,
        run.queries,
        run.turns,
        rate(run.queries),
        rate(run.turns),
        rate(run.messages),
        rate(run.facts),
        perCpu,
        Math.round(run.peakMemory),
      ]);
    }
  }
  const { model } = cpus()[0] ?? { model: "unknown" };
  process.stdout.write(`${model} x ${cpus().length}, Node ${process.version}, ${join(cache)}\n`);
  const titles = [
    "profile",
    "run",
    "queries",
    "turns",
    "queries/s",
    "turns/s",
    "messages/s",
    "facts/s",
    "turns/CPU s",
    "peak MB",
  ];
  process.stdout.write(
    `${table(
      titles.map((title) => ({ title })),
      rows,
    )}\n`,
  );
}

await main();
