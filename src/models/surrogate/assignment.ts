/** What an answer has to be. */
export const answerForms = ["findings", "page ids", "short answer", "report"] as const;
export type AnswerForm = (typeof answerForms)[number];

/** How an agent can search: by asking websites, in one index of pages, or not at all. */
export type SearchForm = "websites" | "pages" | "none";

/** What comes before searching, where the prompt offers it. */
export const steps = ["plan", "scripts"] as const;
export type Step = (typeof steps)[number];

/** What an agent is to do and can do, as the head of its prompt says it: the form of its answer, and its actions. */
export interface Assignment {
  readonly answer: AnswerForm;
  readonly search: SearchForm;
  readonly steps: ReadonlySet<Step>;
}
