import { type QueryTimeline, stepLabel, userAgentParty } from "../../statistics/query-timeline.ts";

/** A query as a mermaid `sequenceDiagram`. Names and texts are reduced to what mermaid reads as text. */
export function mermaidSequence(timeline: QueryTimeline): string {
  const ids = new Map([timeline.user, userAgentParty, ...partiesOf(timeline)].map((party, i) => [party, `p${i}`]));
  const id = (party: string): string => ids.get(party) as string;
  const lines = timeline.steps.map((step) => {
    const time = `+${((step.t - timeline.arrivedMs) / 1000).toFixed(3)} s`;
    if (!("from" in step)) return `${id(step.party)}->>${id(step.party)}: ${plain(`${stepLabel(step)}, ${time}`)}`;
    const arrow = step.step === "reply" || step.step === "answer" ? "-->>" : "->>";
    return `${id(step.from)}${arrow}${id(step.to)}: ${plain(`${stepLabel(step)}, ${time}`)}`;
  });
  const participants = [...ids].map(
    ([party, short], i) => `${i === 0 ? "actor" : "participant"} ${short} as ${plain(party)}`,
  );
  return ["sequenceDiagram", ...[...participants, ...lines].map((line) => `  ${line}`), ""].join("\n");
}

/** Whom the query's steps name besides the person and its agent, in the order of their first step. */
function partiesOf({ steps, user }: QueryTimeline): string[] {
  const parties = steps.flatMap((step) => ("from" in step ? [step.from, step.to] : [step.party]));
  return [...new Set(parties)].filter((party) => party !== user && party !== userAgentParty);
}

/** Text without what mermaid takes for syntax: line ends, comments, entities, markup. */
function plain(text: string): string {
  return (
    text
      .replace(/[^\p{L}\p{N} .,:@/+()_-]/gu, " ")
      .replace(/--+|%%+/g, "-")
      .replace(/\bend\b/gi, "End")
      .trim() || "(no name)"
  );
}
