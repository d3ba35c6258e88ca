import { z } from "zod";
import { unknownName } from "./nearest.ts";
import { durationMs, durationPattern, formatDuration, ratePattern, ratePerHour } from "./units.ts";

// In this folder the `error` of a schema says what was expected ("an integer of at least 1"); problem.ts makes the
// sentence from it and from what came. Unknown keys are the exception: their error is the whole sentence.

/** A mapping with these keys and no other. */
export function mapping<Shape extends z.core.$ZodShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? unknownName("key", issue.keys[0] ?? "", names)
        : `a mapping with ${names.length === 1 ? "the key" : "keys of"} ${names.join(", ")}`,
  });
}

export const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected });

export const pattern = (regex: RegExp, expected: string) =>
  z.string({ error: expected }).regex(regex, { error: expected });

export function integer(minimum: number, expected = `an integer of at least ${minimum}`) {
  return z.number({ error: expected }).int({ error: expected }).min(minimum, { error: expected });
}

/** A whole number that may be left open by a word. */
export function integerOr<const Word extends string>(word: Word, minimum: number) {
  const expected = `${word}, or an integer of at least ${minimum}`;
  return z.union([z.literal(word), integer(minimum, expected)], { error: expected });
}

export function number(minimum: number) {
  const expected = `a number of at least ${minimum}`;
  return z.number({ error: expected }).min(minimum, { error: expected });
}

export function choice<const Options extends readonly string[]>(...options: Options) {
  return z.enum(options, { error: options.length === 1 ? options[0]! : `one of ${options.join(", ")}` });
}

export const flag = () => z.boolean({ error: "true or false" });

const durationExample = "such as 500ms, 3s, 2m, 1.5h or 1d";

/** A duration, 0 included, written back in its shortest form. */
export const duration = (expected = `a duration ${durationExample}`) =>
  z
    .union([z.literal(0), z.literal("0"), pattern(durationPattern, expected)], { error: expected })
    .refine((value) => Number.isSafeInteger(durationMs(value)), { error: expected })
    .transform((value) => formatDuration(durationMs(value)));

/** A duration of at least one millisecond. */
export const positiveDuration = () => {
  const expected = `a duration above 0 ${durationExample}`;
  return duration(expected).refine((value) => durationMs(value) > 0, { error: expected });
};

export const rate = () => {
  const expected = "a rate above 0 such as 200/h (per s, m, h or d)";
  return pattern(ratePattern, expected).refine((value) => ratePerHour(value) > 0, { error: expected });
};

const distributionExpected =
  "a duration, or { distribution: lognormal, median, sigma }, { distribution: exponential, mean }, " +
  "{ distribution: constant, value } or { distribution: uniform, low, high }";

/** A distribution of durations. A bare duration is a constant. */
export const distribution = () =>
  z.union(
    [
      duration().transform((value) => ({ distribution: "constant" as const, value })),
      z.discriminatedUnion(
        "distribution",
        [
          mapping({ distribution: z.literal("lognormal"), median: positiveDuration(), sigma: number(0) }),
          mapping({ distribution: z.literal("exponential"), mean: positiveDuration() }),
          mapping({ distribution: z.literal("constant"), value: duration() }),
          mapping({ distribution: z.literal("uniform"), low: duration(), high: duration() }).refine(
            ({ low, high }) => durationMs(low) <= durationMs(high),
            { path: ["high"], error: "a duration not below low" },
          ),
        ],
        { error: "one of lognormal, exponential, constant, uniform" },
      ),
    ],
    { error: distributionExpected },
  );

export type DistributionDocument = z.output<ReturnType<typeof distribution>>;
