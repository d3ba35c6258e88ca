import { readShortAnswer } from "../agents/payloads.ts";
import type { Outcome, Scores, Task } from "../agents/task.ts";
import type { QuestionAnsweringTopic } from "../corpora/format.ts";
import { answerContainment, exactMatch, f1 } from "../metrics/answers.ts";
import { agreementMeasure, judgeAnswer } from "./judging.ts";
import { attributionMeasures, siteMeasures, siteScores } from "./losses.ts";
import { citationsOf, rankingOf } from "./rankings.ts";
import { holdsEvidence } from "./report.ts";

/** What an agent answers that cannot tell; prompts say so. */
const cannotTell = "unknown";

/** A question, to be answered in a few words, which may name the pages they come from. */
export const questionAnswering: Task<QuestionAnsweringTopic> = {
  name: "question-answering",
  actions: ["search", "summary", "answer", "plan", "scripts"],
  measures: [
    "f1",
    "exactMatch",
    "answerContainment",
    "answerFromEvidence",
    "answerFromMemory",
    "answerGuessed",
    ...siteMeasures,
  ],
  judged: ["accuracy", ...attributionMeasures, agreementMeasure],
  judgePrompts: ["judge-answer", "judge-attribution"],
  headline: [
    "accuracy",
    "f1",
    "exactMatch",
    "answerContainment",
    "answerFromEvidence",
    "answerFromMemory",
    "answerGuessed",
  ],
  question: (topic) => topic.question,
  variables: (topic) => ({ query: topic.question }),
  readAnswer(payload, seen) {
    const answer = readShortAnswer(payload, seen);
    return answer === null ? null : { ...answer, citations: citationsOf(answer.documents) };
  },
  answerOf: rankingOf,
  relevant: (topic) => topic.evidence,
  judge: judgeAnswer,
  score(topic, outcome) {
    const isRight = outcome.writes
      ? answerContainment(outcome.answer?.text ?? "", topic.answers) === 1
      : holdsEvidence(topic.evidence, outcome);
    return {
      ...answerScores(topic.answers, outcome),
      ...siteScores(topic.evidence, topic, outcome, !isRight),
    };
  },
};

/** Scores of the words; null for a strategy that writes none, whether or not it handed over documents. */
function answerScores(golds: readonly string[], outcome: Outcome): Scores {
  const { answer } = outcome;
  if (!outcome.writes) {
    return { f1: null, exactMatch: null, answerContainment: null, ...originScores(null) };
  }
  const text = answer?.text ?? "";
  return answer === null
    ? { f1: 0, exactMatch: 0, answerContainment: 0, ...originScores("none") }
    : {
        f1: f1(text, golds),
        exactMatch: exactMatch(text, golds),
        answerContainment: answerContainment(text, golds),
        ...originScores(originOf(text, golds, outcome)),
      };
}

type Origin = "evidence" | "memory" | "guess" | "none";

/**
 * Where the words of an answer come from. From evidence: something that was shown says them (a right answer: its gold
 * words; a wrong one: its own, misread or from a page that is wrong). Else a right answer comes from memory, and a
 * wrong one is guessed. An agent that says it cannot tell has done none of these.
 */
function originOf(text: string, golds: readonly string[], outcome: Outcome): Origin {
  if (exactMatch(text, [cannotTell]) === 1) return "none";
  const right = golds.filter((gold) => answerContainment(text, [gold]) === 1);
  const words = right.length > 0 ? right : [text];
  const shown = [...outcome.seenTexts(), ...outcome.replies.flatMap(({ summary }) => summary ?? [])];
  if (shown.some((each) => answerContainment(each, words) === 1)) return "evidence";
  return right.length > 0 ? "memory" : "guess";
}

function originScores(origin: Origin | null): Scores {
  const is = (wanted: Origin): number | null => (origin === null ? null : origin === wanted ? 1 : 0);
  return {
    answerFromEvidence: is("evidence"),
    answerFromMemory: is("memory"),
    answerGuessed: is("guess"),
  };
}
