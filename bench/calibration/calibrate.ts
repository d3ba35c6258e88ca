/**
 * Calibrates a profile of the surrogate: makes the multi-agent strategy's effort and stages in web search and
 * recommendation come near the figures published for the model that the profile is named after, on worlds that nothing
 * is judged on afterwards (`awesim bench --calibration` judges, on worlds 1 to 5, and predicts the other tasks).
 *
 *     npx tsx bench/calibration/calibrate.ts fit qwen3-4b --out qwen3-4b.yaml
 *     npx tsx bench/calibration/calibrate.ts show qwen3-4b.yaml    # where a profile stands, scores of strategies as well
 *     npx tsx bench/calibration/calibrate.ts recover qwen3-4b      # parameters that are known, from their figures alone
 *     npx tsx bench/calibration/calibrate.ts morris qwen3-4b       # what each parameter does, and what findings survive
 *
 * Options: --worlds 101,102  --tasks web-search,web-recommendation  --queries 100  --iterations 6  --trajectories 4
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Streams } from "../../src/kernel/random.ts";
import { resolveCorpus } from "../../src/scenario/corpus.ts";
import { publishedTargets } from "../../src/report/bench/published.ts";
import { markdownTable } from "../../src/report/markdown.ts";
import { Evaluator, type Figure, figuresOf, meanOf } from "./evaluate.ts";
import { leastSquares } from "./least-squares.ts";
import { morris } from "./morris.ts";
import { parameters, ProfileFile, valueAt } from "./parameters.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    worlds: { type: "string", default: "101,102" },
    tasks: { type: "string", default: "web-search,web-recommendation" },
    queries: { type: "string", default: "100" },
    iterations: { type: "string", default: "6" },
    trajectories: { type: "string", default: "4" },
    out: { type: "string" },
  },
});
const [mode, name] = positionals as [string | undefined, string | undefined];
type Targets = ReadonlyMap<string, number>;

function open(strategies: readonly string[]): Promise<Evaluator> {
  return Evaluator.open({
    corpus: resolveCorpus("atlas", null),
    cacheDirectory: process.env["AWESIM_CACHE"] ?? ".awesim",
    worlds: values.worlds.split(",").map(Number),
    tasks: values.tasks.split(","),
    strategies,
    queries: Number(values.queries),
  });
}

/** The published figures for the model that a profile is named after. */
function targetsOf(profile: string): Targets {
  const targets = new Map<string, number>();
  for (const { model, task, measures } of publishedTargets()) {
    if (!`${profile}-`.startsWith(`${model.toLowerCase()}-`)) continue;
    for (const [measure, value] of Object.entries(measures)) targets.set(`${task} ${measure}`, value);
  }
  if (targets.size === 0) throw new Error(`no figures are published for a model that ${profile} is named after`);
  return targets;
}

async function figuresAt(evaluator: Evaluator, profile: string): Promise<Map<string, Figure>> {
  const figures = new Map<string, Figure>();
  for (const [key, rows] of await evaluator.rows(profile)) {
    const [task] = key.split(" ") as [string];
    for (const [measure, figure] of Object.entries(figuresOf(rows))) figures.set(`${task} ${measure}`, figure);
  }
  return figures;
}

/** How near is near: differences of this size count like chance. */
const care = 0.05;

/** Log ratios to the targets, those that chance moves more weighing less. */
function residualsOf(figures: ReadonlyMap<string, Figure>, targets: Targets): number[] {
  return [...figures].flatMap(([key, { value, relativeError }]) => {
    const target = targets.get(key);
    if (target === undefined) return [];
    const least = 0.002; // a share of nothing has no logarithm
    const off = Math.log(Math.max(least, value) / Math.max(least, target));
    return off / Math.sqrt(care * care + relativeError * relativeError);
  });
}

async function approach(evaluator: Evaluator, file: ProfileFile, start: readonly number[], targets: Targets) {
  return leastSquares(
    start,
    async (position) => residualsOf(await figuresAt(evaluator, file.at(position)), targets),
    Number(values.iterations),
    ({ residuals, evaluations }) => {
      const loss = residuals.reduce((sum, each) => sum + each * each, 0);
      process.stderr.write(`${evaluations} evaluations, loss ${loss.toFixed(1)}\n`);
    },
  );
}

async function fit(profile: string): Promise<void> {
  const evaluator = await open(["multi-agent"]);
  const file = new ProfileFile(profile);
  const targets = targetsOf(profile.replace(/^.*\/|\.ya?ml$/g, ""));
  const { position } = await approach(evaluator, file, file.position, targets);
  const before = await figuresAt(evaluator, file.at(file.position));
  const after = await figuresAt(evaluator, file.at(position));
  evaluator.close();
  const rows = [...after]
    .filter(([key]) => targets.has(key))
    .map(([key, { value }]) => {
      const target = targets.get(key) as number;
      const off = `${(100 * (value / target - 1)).toFixed(0)} %`;
      return [key, target.toFixed(3), (before.get(key) as Figure).value.toFixed(3), value.toFixed(3), off];
    });
  print([`${rows.length} targets, ${parameters.length} free parameters`, ""]);
  print(markdownTable(["figure", "target", "before", "after", "off"], rows));
  print(["", ...parameterTable([file.position, position], ["before", "after"])]);
  if (values.out !== undefined) writeFileSync(values.out, file.at(position));
}

/** The figures of a profile beside the published ones, and what each strategy scores with it. */
async function show(profile: string): Promise<void> {
  const strategies = ["classical", "tool-e", "tool-p", "multi-agent"];
  const evaluator = await open(strategies);
  const rows = await evaluator.rows(new ProfileFile(profile).text);
  evaluator.close();
  const targets = targetsOf(profile.replace(/^.*\/|\.ya?ml$/g, ""));
  const tasks = values.tasks.split(",");
  const figures = tasks.flatMap((task) =>
    Object.entries(figuresOf(rows.get(`${task} multi-agent`) ?? [])).map(([measure, { value }]) => {
      const target = targets.get(`${task} ${measure}`);
      const off = target === undefined ? "" : `${(100 * (value / target - 1)).toFixed(0)} %`;
      return [`${task} ${measure}`, target?.toFixed(3) ?? "", value.toFixed(3), off];
    }),
  );
  print([...markdownTable(["figure", "target", "value", "off"], figures), ""]);
  const scores = tasks.flatMap((task) =>
    strategies.map((strategy) => {
      const own = rows.get(`${task} ${strategy}`) ?? [];
      return [task, strategy, ...scoresShown.map((measure) => meanOf(own, measure).toFixed(3))];
    }),
  );
  print(markdownTable(["task", "strategy", ...scoresShown], scores));
}

const scoresShown = ["ndcg@3", "ndcg@5", "recall@3", "recall@5", "answerContainment", "keyPointMatch", "citedAgents"];

/** Takes the figures of a profile whose parameters are known for targets, and starts from elsewhere. */
async function recover(profile: string): Promise<void> {
  const evaluator = await open(["multi-agent"]);
  const file = new ProfileFile(profile);
  const stream = new Streams(1, 0).stream("recovery", profile);
  const known = file.position.map((place) => Math.min(0.9, Math.max(0.1, place + 0.3 * (stream.uniform() - 0.5))));
  const figures = await figuresAt(evaluator, file.at(known));
  const targets = new Map([...figures].map(([key, { value }]) => [key, value]));
  const { position, residuals } = await approach(evaluator, file, file.position, targets);
  evaluator.close();
  const off = residuals.map(Math.abs).sort((a, b) => a - b);
  print([`Figures are off by ${(100 * care * (off.at(-1) as number)).toFixed(0)} % at most.`, ""]);
  print(parameterTable([known, file.position, position], ["known", "start", "recovered"]));
}

const findings = [
  ["classical", "tool-p"],
  ["tool-p", "multi-agent"],
  ["tool-p", "tool-e"],
  ["classical", "tool-e"],
] as const;

/** Which parameters move which figures, and which findings about strategies hold all over the plausible range. */
async function screen(profile: string): Promise<void> {
  const evaluator = await open(["multi-agent", "classical", "tool-p", "tool-e"]);
  const file = new ProfileFile(profile);
  const figuresOfPoint = async (position: readonly number[]): Promise<Record<string, number>> => {
    const rows = await evaluator.rows(file.at(position));
    const result: Record<string, number> = {};
    for (const task of values.tasks.split(",")) {
      const agents = rows.get(`${task} multi-agent`) ?? [];
      for (const [measure, { value }] of Object.entries(figuresOf(agents))) result[`${task} ${measure}`] = value;
      const score = (strategy: string): number => meanOf(rows.get(`${task} ${strategy}`) ?? [], "ndcg@3");
      for (const [a, b] of findings) result[`${task} ${a} > ${b}`] = score(a) - score(b);
    }
    return result;
  };
  const stream = new Streams(1, 0).stream("morris", profile);
  const { effects, points } = await morris(parameters.length, Number(values.trajectories), figuresOfPoint, stream);
  evaluator.close();
  for (const [figure, all] of effects) {
    const rows = all
      .map((effect, index) => ({ ...effect, name: parameters[index]?.path.join(".") as string }))
      .sort((a, b) => b.size - a.size)
      .slice(0, 6)
      .map(({ name, mean, size, spread }) => [name, size.toFixed(3), mean.toFixed(3), spread.toFixed(3)]);
    print([`### ${figure}`, "", ...markdownTable(["parameter", "mu*", "mu", "sigma"], rows), ""]);
  }
  const signs = Object.keys(points[0] ?? {}).filter((key) => key.includes(" > "));
  const rows = signs.map((key) => {
    const held = points.filter((point) => (point[key] as number) > 0).length;
    return [key, `${held} of ${points.length}`, held === 0 || held === points.length ? "robust" : "not robust"];
  });
  print(["### Findings over the plausible range", "", ...markdownTable(["finding", "holds", ""], rows)]);
}

function parameterTable(positions: readonly (readonly number[])[], names: readonly string[]): string[] {
  return markdownTable(
    ["parameter", "range", ...names],
    parameters.map((each, index) => [
      each.path.join("."),
      `${each.low} to ${each.high}`,
      ...positions.map((position) => valueAt(each, position[index] as number).toPrecision(3)),
    ]),
  );
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

const modes: Readonly<Record<string, (profile: string) => Promise<void>>> = { fit, show, recover, morris: screen };
const run = modes[mode ?? ""];
if (run === undefined || name === undefined)
  throw new Error("usage: calibrate.ts fit|show|recover|morris <profile> [options]");
await run(name);
