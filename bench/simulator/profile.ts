/**
 * Where the time of a run goes, by folder and library: `npm run bench:profile -- [profile] [queries]`.
 * Sampled by V8's own profiler; the report's intervals at the end are part of the run.
 */
import { Session } from "node:inspector/promises";
import { table } from "../../src/terminal/table.ts";
import { measureRun, searchScenario } from "./run-scenario.ts";

const cache = process.env["AWESIM_CACHE"] ?? ".awesim";
const profile = process.argv[2] ?? "qwen3-4b";
const queries = Number(process.argv[3] ?? 2000);

await measureRun(searchScenario(profile, Math.ceil(queries / 4)), cache); // compiles and fills caches
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.start");
const run = await measureRun(searchScenario(profile, queries), cache);
const sampled = (await session.post("Profiler.stop")).profile;

const placeOf = new Map(sampled.nodes.map(({ id, callFrame }) => [id, place(callFrame.url, callFrame.functionName)]));
const timeAt = new Map<string, number>();
let total = 0;
sampled.samples?.forEach((node, index) => {
  const at = placeOf.get(node) ?? "?";
  if (at === "waiting") return;
  const time = sampled.timeDeltas?.[index] ?? 0;
  timeAt.set(at, (timeAt.get(at) ?? 0) + time);
  total += time;
});
const rows = [...timeAt]
  .sort(([, a], [, b]) => b - a)
  .slice(0, 20)
  .map(([at, time]) => [at, `${((100 * time) / total).toFixed(1)} %`, Math.round(time / run.turns)]);
process.stdout.write(`${profile}: ${run.queries} queries, ${run.turns} model turns, ${run.seconds.toFixed(1)} s\n`);
process.stdout.write(`${table([{ title: "where" }, { title: "share" }, { title: "us a turn" }], rows)}\n`);

function place(url: string, name: string): string {
  if (name === "(idle)") return "waiting";
  if (name.startsWith("(")) return name;
  const source = /\/src\/(.+)$/.exec(url)?.[1];
  if (source !== undefined)
    return `src/${source
      .split("/")
      .slice(0, source.startsWith("models/") ? 2 : 1)
      .join("/")}`;
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return library ?? (url.startsWith("wasm") ? "src/retrieval" : `Node: ${name}`);
}
