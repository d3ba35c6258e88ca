import type { MessageStep, QueryTimeline, SearchStep, TimelineStep, TurnStep } from "../statistics/query-timeline.ts";
import { userAgentParty } from "../statistics/query-timeline.ts";
import { clean, cut, width } from "./clean.ts";
import { clockTime, count, duration, score } from "./format.ts";
import { cutLine, type Line, type Looks, type Span, span } from "./lines.ts";

/** What a diagram shows besides the trace's steps. */
export interface SequenceTexts {
  readonly question: string | null;
  readonly relevant: readonly string[];
  readonly goldSites: readonly string[];
  readonly answerText: string | null;
  /** What was said in a turn, as one would quote it; null where that is not known. */
  said(turn: TurnStep): string | null;
}

/** What a live view can tell: the steps alone. */
export const noTexts: SequenceTexts = {
  question: null,
  relevant: [],
  goldSites: [],
  answerText: null,
  said: () => null,
};

/** Where the times end, and where the three lanes stand: the person, its agent, the sites. */
const timeColumns = 10;
const person = 12;
const agent = 20;
const site = 30;
const textColumn = 33;
const mostTextLines = 3;

/** A query as a sequence diagram with three lanes, no line wider than `columns`; times are virtual, since its arrival. */
export function sequenceLines(timeline: QueryTimeline, texts: SequenceTexts, columns: number, looks: Looks): Line[] {
  const relevant = new Set(texts.relevant);
  const steps = timeline.steps.flatMap((step) => stepLines(step, timeline, texts, relevant, columns, looks));
  return [
    ...headLines(timeline, texts, columns),
    [],
    ...(timeline.steps.length === 0 ? [[span("the trace holds no steps of it (see run --trace)", "faint")]] : steps),
    [],
    ...verdictLines(timeline, texts, columns),
  ].map((line) => cutLine(line, columns, looks));
}

function headLines(
  { query, task, strategy, model, user, arrivedMs, topic }: QueryTimeline,
  texts: SequenceTexts,
  columns: number,
): Line[] {
  const who = [task, strategy, ...(model === null ? [] : [model])].map(clean).join(", ");
  return [
    [span(clean(query), "title"), span(`  ${who}`)],
    ...wrap(`${clean(user)} asks: ${clean(texts.question ?? `topic ${topic}`)}`, columns, mostTextLines).map((text) => [
      span(text),
    ]),
    [span(`arrives on ${clockTime(arrivedMs)}`, "faint")],
  ];
}

function stepLines(
  step: TimelineStep,
  timeline: QueryTimeline,
  texts: SequenceTexts,
  relevant: ReadonlySet<string>,
  columns: number,
  looks: Looks,
): Line[] {
  const { text, tone } = stepText(step, texts, relevant);
  const [first = "", ...more] = wrap(text, columns - textColumn, mostTextLines);
  const time = span(sinceText(step.t - timeline.arrivedMs).padStart(timeColumns), "faint");
  if (looks.spoken) return [[time, span(` ${speaker(step)}: ${text}`, tone)]];
  const lanes = laneText(step, looks.unicode);
  const empty = laneText(null, looks.unicode);
  return [
    [time, span(lanes, "accent"), span(first, tone)],
    ...more.map((rest): Span[] => [span(" ".repeat(timeColumns)), span(empty, "accent"), span(rest, tone)]),
  ];
}

/** The three lanes with a step's arrow between two of them, or its mark on one. */
function laneText(step: TimelineStep | null, unicode: boolean): string {
  const [line, dash, mark, right, left] = unicode ? ["│", "─", "●", "▶", "◀"] : ["|", "-", "*", ">", "<"];
  const row = Array.from({ length: textColumn - timeColumns }, () => " ");
  const put = (column: number, character: string): void => void (row[column - timeColumns] = character);
  for (const lane of [person, agent, site]) put(lane, line);
  if (step === null) return row.join("");
  if (!("from" in step)) {
    put(laneOf(step.party, step), mark);
    return row.join("");
  }
  const [from, to] = [laneOf(step.from, step), laneOf(step.to, step)];
  for (let column = Math.min(from, to) + 1; column < Math.max(from, to); column++) put(column, dash);
  put(from < to ? to - 1 : to + 1, from < to ? right : left);
  return row.join("");
}

function laneOf(party: string, step: TimelineStep): number {
  if (party === userAgentParty) return agent;
  const isPerson = "from" in step && (step.step === "question" || step.step === "answer");
  return isPerson ? person : site;
}

function stepText(
  step: TimelineStep,
  texts: SequenceTexts,
  relevant: ReadonlySet<string>,
): { text: string; tone: Span["tone"] } {
  switch (step.step) {
    case "turn":
      return turnText(step, texts);
    case "search":
      return { text: `${siteOf(step)}found ${pages(step.documents, relevant)}`, tone: "plain" };
    case "queue":
      return { text: `${clean(step.party)}: ${count(step.waiting)} waiting`, tone: "bad" };
    case "request":
      return { text: `asks ${clean(step.to)} (request ${step.request})`, tone: "plain" };
    case "reply":
      return replyText(step, relevant);
    case "question":
      return { text: "the question", tone: "plain" };
    case "answer":
      return {
        text: step.documents.length === 0 ? "the answer" : `answers with ${pages(step.documents, relevant)}`,
        tone: "good",
      };
  }
}

function turnText(step: TurnStep, texts: SequenceTexts): { text: string; tone: Span["tone"] } {
  const said = texts.said(step);
  const again = step.retry === 0 ? "" : `, again ${step.retry}`;
  const what =
    step.problem !== null ? `no valid action: ${clean(step.problem)}` : (step.action ?? "output thrown away");
  const quoted = said === null ? "" : ` "${clean(said)}"`;
  const tokens = `, ${count(step.promptTokens)}+${count(step.completionTokens)} tokens`;
  return {
    text: `${siteOf(step)}turn ${step.turn}${again}${tokens}: ${what}${quoted}`,
    tone: step.problem !== null ? "bad" : "plain",
  };
}

function siteOf({ party }: TurnStep | SearchStep): string {
  return party === userAgentParty ? "" : `${clean(party)} `;
}

function replyText(
  { from, outcome, documents }: MessageStep,
  relevant: ReadonlySet<string>,
): { text: string; tone: Span["tone"] } {
  if (outcome !== "answered") return { text: `${clean(from)}: ${outcome}`, tone: "bad" };
  return { text: `${clean(from)} hands over ${pages(documents, relevant)}`, tone: "good" };
}

/** Pages by their ids; the relevant ones carry a star. */
function pages(documents: readonly string[], relevant: ReadonlySet<string>): string {
  if (documents.length === 0) return "nothing";
  return documents.map((id) => `${relevant.has(id) ? "*" : ""}${clean(id)}`).join(", ");
}

function speaker(step: TimelineStep): string {
  return clean("from" in step ? step.from : step.party);
}

const reasons: Readonly<Record<string, string>> = {
  "not selected": "no site that holds a relevant page was asked",
  "not retrieved": "sites that hold one were asked, and no search found it",
  "not returned": "a search found one, and no content agent handed it over",
  "not ranked": "the user agent had one, and its answer is without it",
};

function verdictLines(timeline: QueryTimeline, texts: SequenceTexts, columns: number): Line[] {
  const { outcome, completedMs, arrivedMs, turns, requests, sites, promptTokens, completionTokens, loss } = timeline;
  const took =
    completedMs === null ? "under way where the trace ends" : `${outcome} after ${duration(completedMs - arrivedMs)}`;
  const work = `${count(turns)} turns, ${count(requests)} requests to ${count(sites.length)} sites, tokens ${count(promptTokens)} read + ${count(completionTokens)} written`;
  const lines: [string, Span["tone"]][] = [[`${took}: ${work}`, outcome === "answered" ? "plain" : "bad"]];
  const scores = scoreText(timeline.measures);
  if (scores !== "") lines.push([scores, "accent"]);
  if (loss !== null) lines.push([`lost: ${loss}: ${reasons[loss]}`, "bad"]);
  if (texts.answerText !== null) lines.push([`answer: ${clean(texts.answerText)}`, "plain"]);
  if (texts.relevant.length > 0) {
    lines.push([
      `relevant (*): ${texts.relevant.map(clean).join(", ")} at ${texts.goldSites.map(clean).join(", ")}`,
      "faint",
    ]);
  }
  return lines.flatMap(([text, tone]) => wrap(text, columns, 6).map((line) => [span(line, tone)]));
}

const scoresShown = [
  "ndcg@3",
  "recall@5",
  "accuracy",
  "f1",
  "answerContainment",
  "keyPointMatch",
  "kpr",
  "siteRecall",
  "sitePrecision",
];

function scoreText(measures: QueryTimeline["measures"]): string {
  return scoresShown
    .flatMap((name) => {
      const value = measures?.[name];
      return value === undefined || value === null ? [] : [`${name} ${score(value)}`];
    })
    .join("  ");
}

/** A time since the arrival: "+12.345 s" up to a minute, "+3m02.500" up to an hour, then "+1h02m03". */
function sinceText(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (ms < 60_000) return `+${(ms / 1000).toFixed(3)}`;
  if (ms < 3_600_000) return `+${Math.floor(ms / 60_000)}m${((ms % 60_000) / 1000).toFixed(3).padStart(6, "0")}`;
  return `+${Math.floor(ms / 3_600_000)}h${two((ms % 3_600_000) / 60_000)}m${two((ms % 60_000) / 1000)}`;
}

/** Breaks a text at blanks, and a word that is too long where it must; what exceeds the lines is cut by the last. */
function wrap(text: string, columns: number, most: number): string[] {
  const room = Math.max(8, columns);
  const lines: string[] = [""];
  for (const word of text.split(" ").flatMap((each) => pieces(each, room))) {
    const last = lines[lines.length - 1] as string;
    if (last === "") lines[lines.length - 1] = word;
    else if (width(last) + 1 + width(word) <= room || lines.length === most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function pieces(word: string, room: number): string[] {
  const cutOff: string[] = [];
  let rest = word;
  while (width(rest) > room) {
    const piece = cut(rest, room + 1, "");
    if (piece === "") break;
    cutOff.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...cutOff, rest];
}
