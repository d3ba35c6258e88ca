import type { Outcome, Scores, Task } from "../agents/task.ts";
import type { DeepResearchTopic } from "../corpora/format.ts";
import { keyPointMatch } from "../metrics/key-points.ts";
import { reportBody } from "../metrics/report-text.ts";
import { agreementMeasure, judgeReport, qualityMeasures } from "./judging.ts";
import { siteMeasures, siteScores } from "./losses.ts";
import { rankingOf } from "./rankings.ts";
import { holdsEvidence, readReport } from "./report.ts";
import { visibilityMeasures, visibilityScores } from "./report-visibility.ts";

/** A broad question, to be answered with a report in Markdown that cites its sources. */
export const deepResearch: Task<DeepResearchTopic> = {
  name: "deep-research",
  actions: ["search", "summary", "answer", "plan", "scripts"],
  measures: ["keyPointMatch", ...visibilityMeasures, ...siteMeasures],
  judged: ["kpr", "kpc", ...qualityMeasures, agreementMeasure],
  judgePrompts: ["judge-key-point", "judge-quality"],
  headline: ["kpr", "kpc", "clarity", "insight", "keyPointMatch", "citedAgents", "noReference", "largestCitationShare"],
  question: (topic) => topic.question,
  variables: (topic) => ({ query: topic.question }),
  readAnswer: readReport,
  answerOf: rankingOf,
  relevant: (topic) => topic.evidence,
  judge: judgeReport,
  score(topic, outcome) {
    return {
      keyPointMatch: keyPointScore(topic, outcome),
      ...visibilityScores(outcome),
      ...siteScores(topic.evidence, topic, outcome, !holdsEvidence(topic.evidence, outcome)),
    };
  },
};

function keyPointScore({ keyPoints }: DeepResearchTopic, { answer, writes }: Outcome): Scores[string] {
  if (!writes) return null; // documents alone are no report
  return keyPointMatch(reportBody(answer?.text ?? ""), keyPoints);
}
