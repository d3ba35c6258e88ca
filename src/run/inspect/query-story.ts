import { existsSync } from "node:fs";
import { join } from "node:path";
import { actionKinds, parseAction } from "../../agents/grammar.ts";
import { InputError } from "../../errors.ts";
import type { ModelAnswer } from "../../agents/ports.ts";
import { queryTimeline, type QueryTimeline, type TurnStep } from "../../statistics/query-timeline.ts";
import type { Fact } from "../../trace/facts.ts";
import { LineTail } from "../../trace/line-tail.ts";
import { parseTapeLine, type TapeLine } from "../../trace/tape-line.ts";
import { parseTextLine } from "../../trace/tape-reader.ts";
import { TraceTail } from "../../trace/trace-tail.ts";

/** A model's output in one turn. */
export interface Said {
  /** The whole output. */
  readonly text: string;
  /** What stands in its action's tags: a search's text, an answer's payload; null where there is no action. */
  readonly payload: string | null;
  readonly thought: string;
  /** What the request was made of, by name: model, seed, prompt and so on. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/** A query's timeline with the texts of its run: the trace tells who did what when, tape and inputs what was said. */
export interface QueryStory {
  readonly timeline: QueryTimeline;
  /** What the person asked; null where the run's inputs lack the topic. */
  readonly question: string | null;
  /** Ids of the pages that answer it, and their sites. */
  readonly relevant: readonly string[];
  readonly goldSites: readonly string[];
  /** By `saidKey` of the turn. */
  readonly said: ReadonlyMap<string, Said>;
  /** The answer in words; null for a ranking, and where there is none. */
  readonly answerText: string | null;
}

/** Under which a story keeps what was said in a turn. */
export function saidKey({ agent, turn, retry }: Pick<TurnStep, "agent" | "turn" | "retry">): string {
  return `${agent}/${turn}${retry === 0 ? "" : `.${retry}`}`;
}

/**
 * One query of a run, also of one that was killed or still runs. Reads trace and tape once, in constant memory.
 * @throws InputError when the run has no such query
 */
export function readStory(directory: string, query: string): QueryStory {
  const timeline = readTimeline(directory, query);
  const { task, topic, answer } = timeline;
  const known = readTopic(directory, task, topic);
  const said = readSaid(directory, timeline);
  return {
    timeline,
    question: questionOf(known),
    relevant: relevantOf(known),
    goldSites: listOf(known?.["goldSites"]),
    said,
    answerText: typeof answer === "string" ? findText(directory, answer) : null,
  };
}

function readTimeline(directory: string, query: string): QueryTimeline {
  const trace = new TraceTail(directory);
  try {
    const mention = `"query":${JSON.stringify(query)}`;
    const timeline = queryTimeline(query, untilScored(trace.facts((line) => line.includes(mention))));
    if (timeline !== null) return timeline;
  } finally {
    trace.close();
  }
  throw new InputError(`the run has no query ${JSON.stringify(query)}; awesim inspect <run> lists some that it has`, {
    file: directory,
  });
}

/** A query's score is its last fact; what follows need not be read. */
function* untilScored(facts: Iterable<Fact>): Generator<Fact> {
  for (const fact of facts) {
    yield fact;
    if (fact.type === "query.scored") return;
  }
}

function readSaid(directory: string, { user, query }: QueryTimeline): Map<string, Said> {
  const said = new Map<string, Said>();
  const caller = `${user}/${query}/`;
  const mention = `"caller":${JSON.stringify(caller).slice(0, -1)}`;
  for (const line of linesWith(join(directory, "tape.jsonl"), mention)) {
    const parsed = parseTapeLine(line) as (TapeLine & { answer?: ModelAnswer }) | null;
    if (parsed?.port !== "model" || parsed.caller === undefined || parsed.answer === undefined) continue;
    const { text, thought = "" } = parsed.answer;
    const action = parseAction(text, actionKinds);
    const payload = "action" in action ? action.action.payload : null;
    said.set(parsed.caller.slice(caller.length), { text, payload, thought, parts: parsed.parts });
  }
  return said;
}

function findText(directory: string, sha256: string): string | null {
  for (const line of linesWith(join(directory, "texts.jsonl"), sha256)) {
    const found = parseTextLine(line);
    if (found?.sha256 === sha256) return found.text;
  }
  return null;
}

type Topic = Readonly<Record<string, unknown>>;

function readTopic(directory: string, task: string, id: string): Topic | null {
  for (const line of linesWith(join(directory, "inputs", "tasks", `${task}.jsonl`), JSON.stringify(id))) {
    const topic = JSON.parse(line) as Topic;
    if (topic["id"] === id) return topic;
  }
  return null;
}

function questionOf(topic: Topic | null): string | null {
  const text = topic?.["query"] ?? topic?.["question"];
  if (typeof text === "string") return text;
  const history = topic?.["history"];
  if (!Array.isArray(history)) return null;
  return `after visiting: ${history.map(({ title }: { title?: unknown }) => String(title)).join("; ")}`;
}

function relevantOf(topic: Topic | null): string[] {
  const relevant = topic?.["relevant"];
  return typeof relevant === "object" && relevant !== null ? Object.keys(relevant) : listOf(topic?.["evidence"]);
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The lines of a file that hold a text; none where there is no file. */
function* linesWith(file: string, text: string): Generator<string> {
  if (!existsSync(file) && !existsSync(`${file}.gz`)) return;
  const tail = new LineTail(file);
  try {
    for (const line of tail.lines()) if (line.includes(text)) yield line;
  } finally {
    tail.close();
  }
}
