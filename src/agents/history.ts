import { group, type PromptPart, type Segment, type SegmentGroup, segment } from "./prompt.ts";

/**
 * The turns of one agent as its next prompt shows them. A history only grows, until a summary replaces it. Notes
 * belong to the last turn: they stand at the end of the next prompt and are gone in the one after it.
 */
export class History {
  #turns: PromptPart[] = [];
  #notes: SegmentGroup | null = null;
  #tokens = 0;

  /** Tokens of the turns, without the head that all prompts share and without the notes. */
  get tokens(): number {
    return this.#tokens;
  }

  get parts(): readonly PromptPart[] {
    return this.#notes === null ? this.#turns : [...this.#turns, this.#notes];
  }

  /** Adds what a turn said and what came back. */
  add(turn: number, output: string, observation: SegmentGroup | null): void {
    this.#push(segment(`[Turn ${turn}]\n${output}`));
    if (observation !== null) this.#push(observation);
  }

  /** Replaces all turns up to `turn` by a summary. */
  replace(turn: number, summary: string): void {
    this.#turns = [];
    this.#tokens = 0;
    this.#push(segment(`[Turns 1 to ${turn}, summarised]\n${summary}`));
  }

  set notes(notes: readonly string[]) {
    this.#notes = notes.length === 0 ? null : group(notes.map(noteSegment));
  }

  #push(part: PromptPart): void {
    this.#turns.push(part);
    this.#tokens += part.tokens;
  }
}

const noteSegments = new Map<string, Segment>();

/** Notes are few and repeat: each is made once. */
function noteSegment(note: string): Segment {
  let made = noteSegments.get(note);
  if (made === undefined) {
    made = segment(note);
    noteSegments.set(note, made);
  }
  return made;
}
