import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";

/** A row of the published figures: fractions under our names of measures, but for counts such as turns. */
export interface PublishedRow {
  readonly model: string;
  readonly strategy: string;
  readonly retrieval: string;
  readonly task: string;
  readonly measures: Readonly<Record<string, number>>;
}

/** What must stand above them, wherever they are shown. */
export const publishedHeading = "Published: other corpus, other model, other judge";

type Figures = Readonly<Record<string, number>>;

interface PublishedFile {
  readonly title: string;
  readonly paper: string;
  readonly source: string;
  readonly main: readonly { model: string; strategy: string; [task: string]: unknown }[];
  readonly classic_ir_web_search: Figures;
  readonly retrieval_ablation: readonly ({ backend: string; method: string } & Record<string, unknown>)[];
  readonly failure_user_content: readonly ({ model: string } & Record<string, unknown>)[];
  readonly failures: readonly ({ model: string } & Record<string, unknown>)[];
  readonly efficiency: readonly ({ model: string; task: string } & Record<string, unknown>)[];
}

const taskOf: Readonly<Record<string, string>> = {
  web_search: "web-search",
  web_recommendation: "web-recommendation",
  qa: "question-answering",
  deep_research: "deep-research",
};

/** Their key, our measure, and whether it is a percentage. */
const measures: Readonly<Record<string, readonly [name: string, percent: boolean]>> = {
  n3: ["ndcg@3", true],
  n5: ["ndcg@5", true],
  r3: ["recall@3", true],
  r5: ["recall@5", true],
  acc: ["accuracy", true],
  f1: ["f1", true],
  kpr: ["kpr", true],
  kpc: ["kpc", true],
  clarity: ["clarity", true],
  insight: ["insight", true],
  turns: ["turns", false],
  agents: ["agents", false],
  requests: ["requests", false],
  user_valid: ["userValidity", true],
  content_turns: ["contentTurns", false],
  content_valid: ["contentValidity", true],
};

/** The published figures and where they are from. */
export function publishedResults(): { readonly source: string; readonly rows: readonly PublishedRow[] } {
  const data = readPublished();
  return { source: `${data.title} (${data.paper}; ${data.source})`, rows: [...rowsOf(data)] };
}

function readPublished(): PublishedFile {
  const file = join(packageRoot, "src", "report", "bench", "published-results.json");
  return JSON.parse(readFileSync(file, "utf8")) as PublishedFile;
}

/** What calibration aims at: effort and stages of the multi-agent strategy, by model and task. */
export function publishedTargets(): PublishedRow[] {
  const data = readPublished();
  const rows = [...rowsOf(data)].filter(({ measures }) => measures["turns"] !== undefined);
  return rows.map((row) => ({ ...row, measures: { ...row.measures, ...stagesOf(data, row) } }));
}

/**
 * Two stages that follow from the published shares of failures: how often a site with a relevant page was asked, and
 * how often a relevant page came into the answer where one was. A failure is the user agent's where no such site was
 * asked. Nothing for tasks whose failures were judged in another way.
 */
function stagesOf(data: PublishedFile, { model, task }: PublishedRow): Record<string, number> {
  const key = Object.keys(taskOf).find((each) => taskOf[each] === task) as string;
  const of = (rows: PublishedFile["failures"]) => rows.find((row) => row.model === model)?.[key];
  const [shares, counts] = [of(data.failure_user_content), of(data.failures)] as ([number, number] | undefined)[];
  if (shares === undefined || counts === undefined) return {};
  const [failures, topics] = counts;
  const contacted = topics - Math.round((failures * shares[0]) / 100);
  return { siteContacted: contacted / topics, returnedGivenContact: (topics - failures) / contacted };
}

function* rowsOf(data: PublishedFile): Generator<PublishedRow> {
  const dense = { retrieval: "dense" };
  yield {
    model: "none",
    strategy: "classic-ir",
    ...dense,
    task: "web-search",
    measures: translated(data.classic_ir_web_search),
  };
  for (const { model, strategy, ...tasks } of data.main) {
    for (const [task, figures] of Object.entries(tasks)) {
      yield {
        model,
        strategy: strategyName(strategy),
        ...dense,
        task: taskOf[task] as string,
        measures: translated(figures as Figures),
      };
    }
  }
  for (const { backend, method, ...figures } of data.retrieval_ablation) {
    if (backend.startsWith("Dense")) continue; // they stand above
    const strategy = strategyName(method);
    yield {
      model: strategy === "classic-ir" ? "none" : "Gemini-3-Flash",
      strategy,
      retrieval: backend.toLowerCase(),
      task: "web-search",
      measures: translated(figures as Figures),
    };
  }
  for (const { model, ...tasks } of data.failure_user_content) {
    for (const [task, shares] of Object.entries(tasks)) {
      const [user, content] = shares as [number, number];
      yield {
        model,
        strategy: "multi-agent",
        ...dense,
        task: taskOf[task] as string,
        measures: { failureUserAgent: fraction(user), failureContentAgents: fraction(content) },
      };
    }
  }
  for (const { model, task, ...figures } of data.efficiency) {
    yield {
      model,
      strategy: "multi-agent",
      ...dense,
      task: task.toLowerCase().replace(" ", "-"),
      measures: translated(figures as Figures),
    };
  }
}

function strategyName(name: string): string {
  return name.toLowerCase().replaceAll(/[_ ]/g, "-");
}

function translated(figures: Figures): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => {
      const [name, percent] = measures[key] as readonly [string, boolean];
      return [name, percent ? fraction(value) : value];
    }),
  );
}

function fraction(percent: number): number {
  return Math.round(percent * 100) / 10_000;
}
