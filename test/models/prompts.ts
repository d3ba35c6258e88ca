import { join } from "node:path";
import { History } from "../../src/agents/history.ts";
import { pageSegment, pagesInformation, repliesInformation } from "../../src/agents/information.ts";
import { type ListedSite, plainMenu } from "../../src/agents/menu.ts";
import { blockJson } from "../../src/agents/grammar.ts";
import { group, type ModelRequest, type PromptPart, segment } from "../../src/agents/prompt.ts";
import { fillTemplate, findTemplate, readPrompts } from "../../src/agents/templates.ts";
import { packageRoot } from "../../src/package-root.ts";

const prompts = readPrompts(join(packageRoot, "prompts"));
export const reminders = prompts.reminders;

const sites: readonly ListedSite[] = [
  { id: "gardening.example", name: "Green Thumb", description: "Growing vegetables, pruning fruit trees, compost." },
  { id: "encyclopedia.example", name: "Encyclopedia", description: "Articles on every subject." },
  { id: "motors.example", name: "Motor Weekly", description: "Cars, motorcycles and their repair." },
  { id: "kitchen.example", name: "Kitchen Table", description: "Recipes for soups, breads and preserves." },
  { id: "health.example", name: "Clear Health", description: "Symptoms, treatments and medicines explained." },
  { id: "rails.example", name: "Rail Traveller", description: "Train journeys, timetables and stations." },
];
export const siteIds = sites.map(({ id }) => id);
const siteGroup = plainMenu(sites).group;

export interface PageText {
  readonly id: string;
  readonly text: string;
}

/** One turn as a prompt's history shows it. */
export interface Turn {
  readonly output: string;
  /** Pages that came back: of one site's index, or per site that replied. */
  readonly pages?: readonly PageText[];
  readonly replies?: readonly { site: string; summary: string; pages: readonly PageText[] }[];
}

export function userAgentPrompt(query: string, turns: readonly Turn[] = [], notes: readonly string[] = []) {
  return userAgentPromptOf("web-search", "sites", query, turns, notes);
}

/** A user agent's prompt of any task and menu. */
export function userAgentPromptOf(
  task: string,
  menu: "sites" | "central" | "none",
  query: string,
  turns: readonly Turn[] = [],
  notes: readonly string[] = [],
) {
  const template = findTemplate(prompts, "user-agent", task, menu);
  const history = group(visits.map(([page, title]) => segment(blockJson({ visited: title, page }))));
  return [...fillTemplate(template, { sites: siteGroup, query, history }), ...historyOf(turns, notes)];
}

const visits = [
  ["v1", "Repotting a cactus"],
  ["v2", "Pear trees for small gardens"],
  ["v3", "When to plant an apple tree"],
] as const;

export function contentAgentPrompt(query: string, turns: readonly Turn[] = [], notes: readonly string[] = []) {
  const template = findTemplate(prompts, "content-agent", null, null);
  const { id, description } = sites[0] as ListedSite;
  return [...fillTemplate(template, { site: id, description, query }), ...historyOf(turns, notes)];
}

function historyOf(turns: readonly Turn[], notes: readonly string[]): readonly PromptPart[] {
  const history = new History();
  turns.forEach(({ output, pages, replies }, index) => {
    const found = pages && pagesInformation(pages.map(segmentOf));
    const reported = replies?.map((reply) => ({ ...reply, pages: reply.pages.map(segmentOf) }));
    history.add(index + 1, output, found ?? (reported ? repliesInformation(reported) : null));
  });
  history.notes = notes;
  return history.parts;
}

function segmentOf({ id, text }: PageText) {
  return pageSegment(id, text);
}

export function request(parts: readonly PromptPart[], seed: number, thinking = true): ModelRequest {
  return { parts, parameters: { thinking, maxTokens: 1_000_000 }, seed };
}
