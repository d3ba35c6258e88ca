import type { QueryOutcome } from "../trace/facts.ts";
import type { Access, Asker } from "./access.ts";
import { searchOpenSites } from "./central-search.ts";
import type { Action } from "./grammar.ts";
import { pageText, repliesInformation, type SiteReply } from "./information.ts";
import type { Menu } from "./menu.ts";
import { Conversation, type Message } from "./messages.ts";
import type { Hit } from "./ports.ts";
import type { PromptPart } from "./prompt.ts";
import { nothing, type SiteRequest, type SiteResult } from "./site.ts";
import { readSiteSearch } from "./payloads.ts";
import type { SearchContext, SearchPlan, SitesSearch, Strategy } from "./strategy.ts";
import type { Answer, Outcome, Prepared, Task } from "./task.ts";
import { fillTemplate, findTemplate } from "./templates.ts";
import { TurnTaker, type TurnTakerOptions } from "./turn-taker.ts";

/** How a user agent reaches the sites' machines. */
export interface SiteDirectory {
  request(site: string, request: SiteRequest): void;
  withdraw(site: string, message: string): void;
  /** What a site does for an asker now. */
  access(site: string, asker: Asker): Access;
}

export interface UserAgentOptions
  extends Omit<TurnTakerOptions, "agent" | "allowed" | "head" | "maxTurns" | "finalTurn" | "formatRetries"> {
  readonly strategy: Strategy;
  /** The name of the assistant that the user agent belongs to; null where it has none. */
  readonly assistant: string | null;
  readonly task: Task;
  readonly topic: Prepared<{ readonly id: string }>;
  readonly menu: Menu;
  readonly sites: SiteDirectory;
  /** Runs once, when the query is completed; its facts are stated by then. */
  readonly done: (outcome: Outcome) => void;
}

/** A search whose sites were asked and have not all replied. */
interface OpenRequests {
  /** What stands in the reply of sites that were named and not asked. */
  readonly notAsked: readonly SiteReply[];
  readonly sent: readonly Message[];
  readonly results: (SiteResult | null)[];
  /** The number of this search's first request within its query. */
  readonly first: number;
  readonly arrived: SiteResult[];
  missing: number;
}

/** One user agent at work on one query. */
export class UserAgentSession extends TurnTaker {
  readonly #options: UserAgentOptions;
  readonly #conversation: Conversation;
  readonly #question: Message;
  readonly #contacted = new Set<string>();
  readonly #found = new Set<string>();
  readonly #replies: SiteReply[] = [];
  readonly #address: string;
  readonly #asker: Asker;
  #plan: SearchPlan | null = null;
  #open: OpenRequests | null = null;
  #answer: Answer | null = null;
  #requests = 0;

  constructor(options: UserAgentOptions) {
    const { environment, user } = options;
    super({
      ...options,
      agent: "user",
      allowed: actionsOf(options),
      head: headOf(options),
      maxTurns: environment.settings.turns,
      finalTurn: environment.settings.finalAnswer === "forced",
      formatRetries: environment.settings.formatRetries,
    });
    this.#options = options;
    this.#address = `${user}/agent`;
    const { strategy, assistant } = options;
    this.#asker = { strategy: strategy.name, assistant, isAgent: strategy.usesModel };
    this.#conversation = new Conversation(environment, options.query);
    this.#question = this.#conversation.send({ from: user, to: this.#address, kind: "question" }, null, () => {});
  }

  get needsNoModel(): boolean {
    return !this.#options.strategy.usesModel;
  }

  get hasAllReplies(): boolean {
    return this.#open?.missing === 0;
  }

  get requestTimeoutMs(): number {
    return this.#options.environment.settings.requestTimeoutMs;
  }

  protected override check(action: Action): boolean {
    const { strategy, task } = this.#options;
    if (action.kind === "search" && strategy.usesModel) {
      this.#plan = strategy.readSearch(action.payload, this.#searchContext());
      return this.#plan !== null;
    }
    if (action.kind === "answer") {
      this.#answer = task.readAnswer(action.payload, this.#answerable());
      return this.#answer !== null;
    }
    return true;
  }

  /** The documents that an answer can hold. */
  #answerable(): ReadonlyMap<string, Hit> {
    const { answerIds } = this.#options.environment.settings;
    return answerIds === "any" ? new AnyDocument(this.retrieved) : this.retrieved;
  }

  #searchContext(): SearchContext {
    const { strategy, topic, menu, environment, query } = this.#options;
    const { settings, index, streams } = environment;
    const knowsGroundTruth = strategy.usesModel && strategy.knowsGroundTruth === true;
    return {
      sites: menu.sites,
      settings,
      index,
      goldSites: knowsGroundTruth ? topic.goldSites : [],
      readNamedSites(payload) {
        const named = readSiteSearch(payload, menu.names, settings.maxSitesPerSearch);
        return named === null ? null : { ...named, sites: named.sites.map((label) => menu.siteOf(label)) };
      },
      draw: (option) => streams.seedFor("search", `${query}/${this.turn}/${option}`),
    };
  }

  /** Makes the planned search: `found` takes what the central index finds; `chosen` runs once the sites are known. */
  search(found: (hits: readonly Hit[]) => void, chosen: (sites: readonly string[]) => void): void {
    const { strategy, task, topic, menu, sites, environment } = this.#options;
    const plan = strategy.usesModel ? (this.#plan as SearchPlan) : strategy.plan(task.question(topic));
    if (plan.through === "central-index") {
      const isOpen = (site: string): boolean => menu.lists(site) && sites.access(site, this.#asker) === "open";
      this.await(0, searchOpenSites(environment.index, isOpen, plan.query, plan.documents), found);
    } else if (typeof plan.sites === "function") {
      this.await(0, plan.sites(), chosen);
    } else {
      chosen(plan.sites);
    }
  }

  /** Asks the chosen sites. */
  askSites(sites: readonly string[], replied: (result: SiteResult) => void): void {
    const { query, through, tooMany = [], unknown = [] } = this.#plan as SitesSearch;
    const first = this.#requests + 1;
    const sent = sites.map((site) => this.#request(site, through, query, replied));
    const notAsked = [
      ...tooMany.map((site) => ({ site, summary: "Too many websites in one search: not asked.", pages: [] })),
      ...unknown.map((site) => ({ site, summary: "Not on the list of websites: not asked.", pages: [] })),
    ];
    this.#open = { notAsked, sent, results: sent.map(() => null), arrived: [], first, missing: sent.length };
  }

  #request(
    site: string,
    through: SitesSearch["through"],
    text: string,
    replied: (result: SiteResult) => void,
  ): Message {
    const { environment, sites, user, query, model, parameters, topic } = this.#options;
    const task = this.#options.task.question(topic);
    const number = ++this.#requests;
    this.#contacted.add(site);
    environment.facts.state({ type: "site.contacted", query, site, request: number });
    return this.#conversation.send(
      { from: this.#address, to: site, kind: "request" },
      (message) => environment.siteLatencyMs(site, message),
      (message) => {
        if (!this.#awaits(number)) return; // withdrawn while it was on its way
        const [conversation, found] = [this.#conversation, this.#found];
        const asker = this.#asker;
        const request = { message, conversation, number, user, asker, through, text, task, model, parameters, found };
        sites.request(site, { ...request, reply: replied });
      },
    );
  }

  #awaits(request: number): boolean {
    return this.#open !== null && this.#open.results[request - this.#open.first] === null;
  }

  /** Takes a reply; one that comes after its time is no longer waited for. */
  takeReply(result: SiteResult): void {
    if (!this.#awaits(result.request)) return;
    const open = this.#open as OpenRequests;
    open.results[result.request - open.first] = result;
    open.arrived.push(result);
    open.missing--;
    const { environment, query } = this.#options;
    environment.facts.state({
      type: "site.answered",
      query,
      site: result.site,
      request: result.request,
      outcome: result.outcome,
      documents: result.findings.documents.map((hit) => hit.id),
    });
  }

  /** The sites that have not replied in time are not waited for any longer. */
  timeOut(): void {
    const open = this.#open as OpenRequests;
    open.results.forEach((result, index) => {
      if (result !== null) return;
      const { to: site, id } = open.sent[index] as Message;
      const request = open.first + index;
      this.takeReply({ request, site, outcome: "timeout", findings: nothing });
      this.#options.sites.withdraw(site, id); // may give its place to the next at once
    });
  }

  /** Shows what the sites replied, in the order in which they were asked or in which they came. */
  noteReplies(): void {
    const { results, arrived, notAsked } = this.#open as OpenRequests;
    this.#open = null;
    const { settings } = this.#options.environment;
    const shown = settings.resultOrder === "completion" ? arrived : (results as readonly SiteResult[]);
    const replies = shown.map((result) => this.#replyOf(result));
    this.#replies.push(...replies);
    this.observe(repliesInformation([...replies, ...notAsked]));
  }

  /** What the user agent sees of a site's reply. */
  #replyOf({ site, outcome, findings }: SiteResult): SiteReply {
    const { menu, environment } = this.#options;
    const isSearchResult =
      (this.#plan as SitesSearch).through === "site-search" && (outcome === "answered" || outcome === "empty");
    this.remember(findings.documents);
    return {
      site: menu.labelOf(site),
      ...(isSearchResult ? {} : { summary: wordsFor(outcome, findings.summary) }),
      pages: findings.documents.map((hit) => environment.shownPages.page(hit)),
    };
  }

  noteHits(hits: readonly Hit[]): void {
    this.#takeHits(hits);
    this.observe(this.#options.environment.shownPages.information(hits));
  }

  takeAsAnswer(hits: readonly Hit[]): void {
    this.#takeHits(hits);
    this.#answer = this.#options.task.answerOf(hits);
  }

  #takeHits(hits: readonly Hit[]): void {
    const { environment, query } = this.#options;
    const documents = hits.map(({ id }) => id);
    const sites = hits.map(({ site }) => site);
    environment.facts.state({ type: "search.answered", query, agent: "user", site: null, documents, sites });
    this.remember(hits);
    for (const id of documents) this.#found.add(id);
  }

  /** Hands the answer over, or says that there is none. */
  complete(outcome: Exclude<QueryOutcome, "failed">): void {
    const { environment, query, user, done } = this.#options;
    const answer = outcome === "answered" ? (this.#answer as Answer) : null;
    this.#conversation.send(
      { from: this.#address, to: user, kind: "answer", inReplyTo: this.#question.id },
      null,
      () => {},
    );
    for (const citation of answer?.citations ?? []) {
      if (citation.document !== undefined && !this.retrieved.has(citation.document)) continue;
      environment.facts.state({ type: "citation.made", query, ...citation });
    }
    const ids = answer?.documents.map(({ id }) => id) ?? [];
    const stated = answer?.text === undefined ? ids : environment.keepText(answer.text);
    environment.facts.state({ type: "query.completed", query, outcome, turns: this.turn, answer: stated });
    done({ ...this.#soFar(), answer });
  }

  /** The end of the run comes first: the query has failed. */
  fail(): void {
    const { environment, query, done } = this.#options;
    environment.facts.state({ type: "query.completed", query, outcome: "failed", turns: this.turn, answer: [] });
    done({ ...this.#soFar(), answer: null });
  }

  #soFar() {
    const { pages } = this.#options.environment;
    return {
      asksSites: this.#options.strategy.reaches === "sites",
      writes: this.#options.strategy.usesModel,
      contactedSites: this.#contacted,
      found: this.#found,
      seen: this.retrieved,
      replies: this.#replies,
      seenTexts: () => Array.from(this.retrieved.values(), (hit) => pageText(pages.page(hit))),
    };
  }
}

/** Documents by id, of which there is one for every id: those that were never seen are of no site. */
class AnyDocument extends Map<string, Hit> {
  override get(id: string): Hit {
    return super.get(id) ?? { id, site: "", textSha256: "", tokens: 0 };
  }
}

/** A strategy that reaches nothing has no use for searches. */
function actionsOf({ strategy, task }: UserAgentOptions): Task["actions"] {
  return strategy.reaches === "nothing" ? task.actions.filter((kind) => kind !== "search") : task.actions;
}

/** The part of the prompt that all turns share; a strategy without a model has none. */
function headOf({ environment, strategy, task, topic, menu }: UserAgentOptions): PromptPart[] {
  if (!strategy.usesModel) return [];
  const template = findTemplate(environment.prompts, "user-agent", task.name, strategy.menu);
  return fillTemplate(template, { sites: menu.group, ...task.variables(topic) });
}

function wordsFor(outcome: SiteResult["outcome"], summary: string): string {
  switch (outcome) {
    case "answered":
      return summary;
    case "empty":
      return summary === "" ? "None of this website's pages helps." : summary;
    case "timeout":
      return "This website did not answer in time.";
    case "down":
      return "This website does not answer at present.";
    case "blocked":
      return "This website does not answer agents like you.";
  }
}
