import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseDocument } from "yaml";
import { packageRoot } from "../../src/package-root.ts";

/** A free parameter of a profile, with its plausible range. */
export interface Parameter {
  readonly path: readonly string[];
  readonly low: number;
  readonly high: number;
  /** On which scale steps are equal. */
  readonly scale: "linear" | "logarithm";
  /** Whole numbers only. */
  readonly whole?: true;
}

const parameter = (path: string, low: number, high: number, scale: Parameter["scale"] = "linear"): Parameter => ({
  path: path.split("."),
  low,
  high,
  scale,
});

/**
 * The parameters that are fitted. The others stay as the profile has them: kinds of malformed output, tokens of thought,
 * and what published figures say nothing about.
 */
export const parameters: readonly Parameter[] = [
  parameter("user-agent.sites-per-search.mean", 1, 6),
  parameter("user-agent.choice-of-sites.match-weight", 1, 40, "logarithm"),
  parameter("user-agent.choice-of-sites.broad-weight", 0, 3),
  parameter("user-agent.choice-of-sites.visited-weight", 0, 20),
  parameter("user-agent.choice-of-sites.temperature", 0.2, 5, "logarithm"),
  parameter("user-agent.judgement.noise", 0.01, 0.5, "logarithm"),
  parameter("user-agent.satisfied-at", 0.2, 1),
  parameter("user-agent.persistence.satisfied", 0, 0.95),
  parameter("user-agent.persistence.unsatisfied", 0, 0.98),
  parameter("user-agent.new-text", 0, 1),
  parameter("user-agent.asks-again", 0, 1),
  parameter("user-agent.answer.worth-at-least", 0, 0.9),
  parameter("user-agent.malformed.rate", 0.002, 0.3, "logarithm"),
  parameter("content-agent.judgement.noise", 0.01, 0.5, "logarithm"),
  parameter("content-agent.satisfied-at", 0.2, 1),
  parameter("content-agent.persistence.satisfied", 0, 0.98),
  parameter("content-agent.persistence.unsatisfied", 0, 0.99),
  parameter("content-agent.answer.worth-at-least", 0, 0.9),
];

/** A profile's file, with its comments. */
export class ProfileFile {
  readonly #document: Document;

  constructor(nameOrPath: string) {
    const shipped = join(packageRoot, "src", "models", "surrogate", "profiles", `${nameOrPath}.yaml`);
    this.#document = parseDocument(readFileSync(/\.ya?ml$/.test(nameOrPath) ? nameOrPath : shipped, "utf8"));
    const unknown = parameters.find(({ path }) => typeof this.#document.getIn(path) !== "number");
    if (unknown !== undefined) throw new Error(`the profile has no number at ${unknown.path.join(".")}`);
  }

  /** The file as it is. */
  get text(): string {
    return this.#document.toString({ lineWidth: 120 });
  }

  /** Where its parameters stand in their ranges, each in [0, 1]. */
  get position(): number[] {
    return parameters.map((each) => {
      const value = this.#document.getIn(each.path) as number;
      const share =
        each.scale === "linear"
          ? (value - each.low) / (each.high - each.low)
          : Math.log(value / each.low) / Math.log(each.high / each.low);
      return Math.min(1, Math.max(0, share));
    });
  }

  /** The file with the parameters at a position. */
  at(position: readonly number[]): string {
    const copy = this.#document.clone();
    parameters.forEach((each, index) => copy.setIn(each.path, rounded(valueAt(each, position[index] as number))));
    const [least, most] = ["least", "most"].map((key) => copy.getIn(["user-agent", "sites-per-search", key]) as number);
    const mean = copy.getIn(["user-agent", "sites-per-search", "mean"]) as number;
    copy.setIn(["user-agent", "sites-per-search", "most"], Math.max(most as number, Math.ceil(mean), least as number));
    return copy.toString({ lineWidth: 120 });
  }
}

/** The value of a parameter at a place in [0, 1] of its range. */
export function valueAt({ low, high, scale }: Parameter, place: number): number {
  return scale === "linear" ? low + place * (high - low) : low * Math.exp(place * Math.log(high / low));
}

/** A reader of a profile sees no more digits than mean something. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
