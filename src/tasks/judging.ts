import { repliesInformation } from "../agents/information.ts";
import type { Judge, Verdict } from "../agents/judge.ts";
import { segment } from "../agents/prompt.ts";
import type { Outcome, Prepared, Scores } from "../agents/task.ts";
import type { DeepResearchTopic, QuestionAnsweringTopic } from "../corpora/format.ts";
import { keyPointRates } from "../metrics/reports.ts";
import { attributionScores } from "./losses.ts";

/** The criteria that a report is rated on, as measures. */
export const qualityMeasures = ["clarity", "insight", "depth", "balance", "breadth", "support"] as const;

/** How far a judge's votes on a query agree. */
export const agreementMeasure = "judgeAgreement";

/** The share of questions judged correct, and whose fault the others are. */
export async function judgeAnswer(
  { question, answers }: Prepared<QuestionAnsweringTopic>,
  outcome: Outcome,
  judge: Judge,
): Promise<Scores> {
  const { answer, writes } = outcome;
  if (!writes) return { accuracy: null };
  if (answer?.text === undefined) return { accuracy: 0 }; // nothing to read: wrong, and nobody's
  const verdict = await judge({
    item: "answer",
    role: "judge-answer",
    values: { question, gold: answers.join("; "), answer: answer.text },
    choices: ["correct", "incorrect"],
    otherwise: "incorrect",
    combine: "majority",
  });
  const isRight = verdict.choice === "correct";
  const blames = isRight || !outcome.asksSites ? [] : await judgeReplies(question, answer.text, outcome, judge);
  const isTheirs = blames.some(({ choice }) => choice === "related");
  const blame = isRight || !outcome.asksSites ? null : isTheirs ? "content-agents" : "user-agent";
  return {
    accuracy: isRight ? 1 : 0,
    ...attributionScores(blame),
    [agreementMeasure]: meanAgreement([verdict, ...blames]),
  };
}

/** Whether what the sites replied supports a wrong answer, reply by reply; one that does is enough. */
function judgeReplies(question: string, answer: string, { replies }: Outcome, judge: Judge): Promise<Verdict[]> {
  return Promise.all(
    replies.map((reply, index) =>
      judge({
        item: `reply-${index + 1}`,
        role: "judge-attribution",
        values: { question, answer, response: repliesInformation([reply]) },
        choices: ["related", "unrelated"],
        otherwise: "unrelated",
        combine: "majority",
      }),
    ),
  );
}

const ratings = Array.from({ length: 11 }, (_, rating) => String(rating));

/** Key points supported and contradicted, and the report's quality. */
export async function judgeReport(
  { question, keyPoints }: Prepared<DeepResearchTopic>,
  { answer, writes }: Outcome,
  judge: Judge,
): Promise<Scores> {
  const names = ["kpr", "kpc", ...qualityMeasures];
  if (!writes) return Object.fromEntries(names.map((name) => [name, null]));
  if (answer?.text === undefined) {
    const isMissing = (name: string) => name === "kpc" || (name === "kpr" && keyPoints.length === 0);
    return Object.fromEntries(names.map((name) => [name, isMissing(name) ? null : 0]));
  }
  const report = segment(answer.text.replaceAll("</report>", "</ report>"));
  const points = await Promise.all(
    keyPoints.map((point, index) =>
      judge({
        item: `point-${index + 1}`,
        role: "judge-key-point",
        values: { question, point, report },
        choices: ["supported", "omitted", "contradicted"],
        otherwise: "omitted",
        combine: "majority",
      }),
    ),
  );
  const qualities = await Promise.all(
    qualityMeasures.map((criterion) =>
      judge({
        item: criterion,
        role: "judge-quality",
        values: { criterion, question, report },
        choices: ratings,
        otherwise: "0",
        combine: "median",
      }),
    ),
  );
  const rates = keyPointRates(points.map(({ choice }, point) => ({ point, label: capitalised(choice) })));
  return {
    kpr: rates?.kpr ?? null,
    kpc: rates?.kpc ?? null,
    ...Object.fromEntries(qualityMeasures.map((name, index) => [name, Number(qualities[index]?.choice) / 10])),
    [agreementMeasure]: meanAgreement([...points, ...qualities]),
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function meanAgreement(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { agreement }) => sum + agreement, 0) / verdicts.length;
}
