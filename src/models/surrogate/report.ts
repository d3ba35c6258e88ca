import { plainLine } from "../../agents/grammar.ts";
import type { JudgedPage } from "./judgement.ts";
import type { SeenPage } from "./page.ts";
import type { Profile } from "./profile.ts";
import type { Question } from "./question.ts";
import type { Situation } from "./situation.ts";

/**
 * A report in Markdown: a section for each of the best pages with its sentences that fit the question best, each with
 * the number of its source. Sources are websites where the prompt lists them, else pages.
 */
export function report(pages: readonly JudgedPage[], situation: Situation, how: Profile["user-agent"]): string {
  const { question } = situation;
  const { most, "worth-at-least": least, "sentences-per-page": count } = how.report;
  const sources = new Map<string, SeenPage[]>();
  const sections: string[] = [];
  for (const { seen, worth } of pages.slice(0, most)) {
    const claims = worth < least ? [] : claimsOf(seen, question, count);
    if (claims.length === 0) continue;
    const source = situation.assignment.search === "websites" && seen.site !== "" ? seen.site : seen.id;
    sources.set(source, [...(sources.get(source) ?? []), seen]);
    const number = [...sources.keys()].indexOf(source) + 1;
    const title = seen.page?.title || "Further";
    sections.push(`## ${title}\n\n${claims.map((claim) => `- ${cited(claim, number)}`).join("\n")}`);
  }
  const title = `# ${plainLine(question.text)}`;
  if (sections.length === 0) return `${title}\n\n- Nothing that was found answers this question.`;
  return [title, ...sections, `## References\n\n${referenceLines(sources).join("\n")}`].join("\n\n");
}

/** What a sentence gains by a number or a name: reports are made of such. */
const factGain = 0.3;

/** Sentences of a page, the best for the question and those with facts, in the page's order, each with its subject. */
function claimsOf({ sentences, page }: SeenPage, question: Question, count: number): string[] {
  const matches = sentences.map(
    (sentence) => sentence.relevanceTo(question) + (/\d|\p{Ll}\P{L}+\p{Lu}/u.test(sentence.text) ? factGain : 0),
  );
  const best = [...matches.keys()]
    .sort((a, b) => (matches[b] as number) - (matches[a] as number) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
  const subject = page?.subject ?? "";
  return best
    .flatMap((index) => sentences[index]?.text ?? [])
    .map((text) => (subject === "" || text.includes(subject) ? text : `${subject}: ${text}`));
}

/** The citation stands within the sentence: before the stop that ends it. */
function cited(claim: string, number: number): string {
  const words = claim.replace(/\[[^\]]*\]/g, " ").replace(/\s*[.!?]+["'”’)]*$/u, "");
  return `${words} [${number}].`;
}

function referenceLines(sources: ReadonlyMap<string, readonly SeenPage[]>): string[] {
  return [...sources].map(([source, pages], index) => {
    const ids = pages.map(({ id }) => plainLine(id)).join(", ");
    return pages[0]?.id === source ? `[${index + 1}] ${ids}` : `[${index + 1}] ${source}: ${ids}`;
  });
}
