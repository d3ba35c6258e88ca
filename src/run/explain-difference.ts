import type { TapeLine } from "../trace/tape-line.ts";
import type { TapeReader } from "../trace/tape-reader.ts";
import type { TraceDifference } from "./compare-traces.ts";

type Line = Readonly<Record<string, unknown>>;

/** Where two traces part: when, in whose doing, in which fields, and which recorded answer came before. */
export function explainDifference({ line, expected, got }: TraceDifference, tape: TapeReader): string {
  const [recorded, replayed] = [parsed(expected), parsed(got)];
  const about = recorded ?? replayed;
  return [
    `the traces part at line ${line}${about === null ? "" : whenAndWho(about)}`,
    `  recorded: ${expected ?? "(it has ended)"}`,
    `  replayed: ${got ?? "(it has ended)"}`,
    ...(recorded === null || replayed === null ? [] : [`  differs in: ${differing(recorded, replayed).join(", ")}`]),
    ...(about === null ? [] : lastAnswer(about, tape)),
  ].join("\n");
}

function parsed(line: string | null): Line | null {
  try {
    return line === null ? null : (JSON.parse(line) as Line);
  } catch {
    return null;
  }
}

function whenAndWho({ t, query, agent, turn, site }: Line): string {
  const who = [
    query === undefined ? null : `query ${String(query)}`,
    agent === undefined ? null : `agent ${String(agent)}`,
    turn === undefined ? null : `turn ${String(turn)}`,
    agent === undefined && site !== undefined ? `site ${String(site)}` : null,
  ].filter((each) => each !== null);
  return `${t === undefined ? "" : `, at ${String(t)} ms`}${who.length === 0 ? "" : `, ${who.join(", ")}`}`;
}

function differing(recorded: Line, replayed: Line): string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(replayed)])];
  return names.filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(replayed[name]));
}

/** The last answer on the tape to the agent in question, up to the turn in question. */
function lastAnswer({ query, agent, turn }: Line, tape: TapeReader): string[] {
  if (query === undefined) return [];
  const start = `/${String(query)}/${agent === undefined ? "" : `${String(agent)}/`}`;
  let last: TapeLine | null = null;
  for (const line of tape.lines()) {
    if (line.caller === undefined || !line.caller.includes(start)) continue;
    const ofTurn = Number(line.caller.split("/").at(-1));
    if (turn === undefined || ofTurn <= Number(turn)) last = line;
  }
  return last === null ? [] : [`  the last answer there: to the request ${last.key} of ${String(last.caller)}`];
}
