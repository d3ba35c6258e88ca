/**
 * Microseconds of one ask, caches warm: user agents and content agents with both profiles, over conversations that
 * grow turn by turn as in a run (pages are shared segments, observations are new groups). Only the asks are timed.
 * Usage: npx tsx bench/surrogate/speed.ts
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { History } from "../../src/agents/history.ts";
import { pageSegment, pagesInformation, repliesInformation } from "../../src/agents/information.ts";
import { plainMenu } from "../../src/agents/menu.ts";
import type { PromptPart, Segment, SegmentGroup } from "../../src/agents/prompt.ts";
import { fillTemplate, findTemplate, readPrompts } from "../../src/agents/templates.ts";
import { hash32, mix32 } from "../../src/kernel/random.ts";
import { type SurrogateModel, surrogateModel } from "../../src/models/surrogate/surrogate.ts";
import { packageRoot } from "../../src/package-root.ts";

const parameters = { thinking: true, maxTokens: 32_768 };
const sites = 100;
const pagesPerSite = 30;
const queries = 200;

const prompts = readPrompts(join(packageRoot, "prompts"));
const number = (key: string, below: number): number => hash32(key) % below;

/** A text over a made-up vocabulary in which low numbers are frequent. */
function words(key: string, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const rank = number(`${key}/${i}`, 60) * number(`${key}/${i}/b`, 60);
    return `${["b", "c", "d", "gr", "st", "tr"][rank % 6]}${["ar", "en", "il", "os", "un"][rank % 5]}${rank}`;
  }).join(" ");
}

const siteIds = Array.from({ length: sites }, (_, i) => `site-${i}.example`);
const menu = plainMenu(siteIds.map((id) => ({ id, name: words(`name ${id}`, 2), description: words(id, 25) })));
const pages = siteIds.map((id) =>
  Array.from({ length: pagesPerSite }, (_, i) =>
    pageSegment(`${id}/${i}`, `${words(`title ${id} ${i}`, 6)}\n\n${words(`${id} ${i}`, 160)}.`),
  ),
);
const queryTexts = Array.from({ length: queries }, (_, i) => words(`query ${i}`, 7));
const queryOf = (key: number): string => queryTexts[key % queries] as string;

function some(key: string, count: number): Segment[] {
  const site = pages[number(key, sites)] as Segment[];
  return Array.from({ length: count }, (_, i) => site[number(`${key} ${i}`, pagesPerSite)] as Segment);
}

const contentTemplate = findTemplate(prompts, "content-agent", null, null);
const userTemplate = findTemplate(prompts, "user-agent", "web-search", "sites");

interface Session {
  readonly head: readonly PromptPart[];
  readonly history: History;
  observe(turn: number): SegmentGroup;
}

function contentSession(key: number): Session {
  const values = { site: siteIds[key % sites] as string, description: "About itself.", query: queryOf(key) };
  const head = fillTemplate(contentTemplate, values);
  return { head, history: new History(), observe: (turn) => pagesInformation(some(`${key}/${turn}`, 3)) };
}

function userSession(key: number): Session {
  const head = fillTemplate(userTemplate, { sites: menu.group, query: queryOf(key) });
  const reply = (of: string) => ({
    site: siteIds[number(of, sites)] as string,
    summary: words(of, 20),
    pages: some(of, 2),
  });
  const observe = (turn: number) => repliesInformation([reply(`${key}/${turn}/a`), reply(`${key}/${turn}/b`)]);
  return { head, history: new History(), observe };
}

/** Plays sessions turn by turn, all of them a turn at a time; the process' own time counts, whatever else is running. */
function measure(model: SurrogateModel, sessions: Session[]): { asks: number; microseconds: number } {
  let [asks, microseconds, open] = [0, 0, sessions];
  for (let turn = 1; turn <= 15 && open.length > 0; turn++) {
    const requests = open.map(({ head, history }, i) => {
      return { parts: [...head, ...history.parts], parameters, seed: mix32(i, turn) >>> 1 };
    });
    const before = process.cpuUsage();
    const texts = requests.map((request) => model.ask(request).text);
    const { user, system } = process.cpuUsage(before);
    asks += requests.length;
    microseconds += user + system;
    open.forEach(({ history, observe }, i) => history.add(turn, texts[i] as string, observe(turn)));
    open = open.filter((_, i) => !(texts[i] as string).startsWith("<answer>"));
  }
  return { asks, microseconds };
}

console.log(`${cpus()[0]?.model}, node ${process.version}; ${sites} sites, 3 pages a search; median of 5`);
for (const profile of ["qwen3-4b", "gemini-3-flash"]) {
  const model = surrogateModel(profile);
  for (const [role, make] of [
    ["user", userSession],
    ["content", contentSession],
  ] as const) {
    const play = () =>
      measure(
        model,
        Array.from({ length: 2000 }, (_, key) => make(key)),
      );
    play();
    const runs = Array.from({ length: 5 }, play);
    const rates = runs.map(({ asks, microseconds }) => microseconds / asks).sort((a, b) => a - b);
    const turns = (runs[0]?.asks ?? 0) / 2000;
    console.log(`${profile} ${role} agent: ${rates[2]?.toFixed(1)} microseconds an ask, ${turns.toFixed(1)} turns`);
  }
}
