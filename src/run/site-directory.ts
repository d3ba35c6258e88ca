import { type ActorRefFrom, createActor } from "xstate";
import type { Access, Asker } from "../agents/access.ts";
import type { Environment } from "../agents/environment.ts";
import type { ListedSite, Menu } from "../agents/menu.ts";
import { SiteList } from "../agents/site-list.ts";
import { type SiteRequest, siteMachine } from "../agents/site.ts";
import type { SiteDirectory } from "../agents/user-agent-session.ts";
import { kernelClock } from "../kernel/kernel.ts";
import { type Blocks, blockAgents, type Intervention, type SiteChange } from "../scenario/interventions.ts";
import { laterSites, type Scenario, siteSettings } from "../scenario/schema.ts";
import { SiteMarket } from "./site-market.ts";

/** An intervention that takes effect before whatever else happens at its time. */
const interventionPriority = -10;

type SiteMachine = ActorRefFrom<typeof siteMachine>;
type SiteEvent = Parameters<SiteMachine["send"]>[0];

/** The sites of a run: their machines, the list that user agents see, and what interventions do to both. */
export class Sites implements SiteDirectory {
  readonly #list: SiteList;
  readonly #environment: Environment;
  readonly #scenario: Scenario;
  readonly #sites: ReadonlyMap<string, ListedSite>;
  readonly #machines = new Map<string, SiteMachine>();
  /** What befell sites that nobody has asked yet: they have no machine. */
  readonly #past = new Map<string, SiteEvent[]>();
  /** Policies that interventions have set. */
  readonly #blocks = new Map<string, Blocks>();
  readonly #setLatency: (site: string, latency: Scenario["sites"]["default"]["latency"]) => void;

  constructor(
    environment: Environment,
    sites: readonly ListedSite[],
    scenario: Scenario,
    setLatency: (site: string, latency: Scenario["sites"]["default"]["latency"]) => void,
  ) {
    this.#environment = environment;
    this.#setLatency = setLatency;
    const later = laterSites(scenario);
    const listed = later.size === 0 ? sites : sites.filter(({ id }) => !later.has(id));
    this.#list = new SiteList(listed, scenario.siteList, environment.streams);
    this.#scenario = scenario;
    this.#sites = new Map(sites.map((site) => [site.id, site]));
    for (const intervention of scenario.interventions) this.#schedule(intervention);
    const { economy } = scenario.sites;
    if (economy === null) return;
    const { kernel, facts } = environment;
    const market = new SiteMarket(economy, listed, {
      leave: (site) => this.#remove([site], "left"),
      enter: (site) => this.#add(site, "entered"),
    });
    facts.listen(market.listen);
    const close = (): void => {
      market.close();
      kernel.after(economy.everyMs, close, interventionPriority);
    };
    kernel.after(economy.everyMs, close, interventionPriority);
  }

  /** The list of sites as the user agent of a query that arrives now sees it. */
  menuFor(query: string): Menu {
    return this.#list.menuFor(query);
  }

  request(site: string, request: SiteRequest): void {
    this.#machineOf(site)?.send({ type: "request", request });
  }

  withdraw(site: string, message: string): void {
    this.#machines.get(site)?.send({ type: "withdrawal", message });
  }

  #machineOf(id: string): SiteMachine | undefined {
    const known = this.#machines.get(id);
    const site = this.#sites.get(id);
    if (known !== undefined || site === undefined) return known;
    const environment = this.#environment;
    const { capacity, queueLimit } = siteSettings(this.#scenario, id);
    const machine = createActor(siteMachine, {
      id,
      input: {
        environment,
        id,
        description: site.description,
        capacity: numberOf(capacity),
        queueLimit: numberOf(queueLimit),
        access: (asker) => this.access(id, asker),
      },
      clock: kernelClock(environment.kernel),
    });
    machine.subscribe({ error: environment.fail });
    this.#machines.set(id, machine.start());
    for (const event of this.#past.get(id) ?? []) machine.send(event);
    this.#past.delete(id);
    return machine;
  }

  access(site: string, { strategy, assistant, isAgent }: Asker): Access {
    const known = this.#blocks.get(site);
    const blocks = known === undefined ? siteSettings(this.#scenario, site).blocks : known;
    if (blocks === null) return "open";
    const isBlocked =
      (blocks.agents && isAgent) ||
      blocks.strategies.includes(strategy) ||
      (assistant !== null && blocks.assistants.includes(assistant));
    if (!isBlocked) return "open";
    return blocks.withholds === "documents" ? "without-documents" : "blocked";
  }

  #schedule(intervention: Intervention): void {
    const { kernel, facts } = this.#environment;
    const begin = (): void => {
      facts.state({ type: "intervention.applied", intervention: { ...intervention } });
      this.#apply(intervention);
    };
    kernel.at(intervention.atMs, begin, interventionPriority);
    if (intervention.kind === "outage") {
      const end = (): void => this.#each(intervention.sites, { type: "outage.ended" }, "outage ended");
      kernel.at(intervention.atMs + intervention.forMs, end, interventionPriority);
    }
  }

  #apply(intervention: Intervention): void {
    switch (intervention.kind) {
      case "outage":
        this.#each(intervention.sites, { type: "outage.began" }, "outage began");
        break;
      case "remove":
        this.#remove(intervention.sites, "removed");
        break;
      case "add":
        this.#add(intervention.site, "added");
        break;
      case "block":
        for (const site of intervention.sites) this.#change(site, { blocks: blockAgents });
        break;
      case "unblock":
        for (const site of intervention.sites) this.#change(site, { blocks: null });
        break;
      case "set":
        for (const site of intervention.sites) this.#change(site, intervention);
        break;
      default: // changes people, not sites
    }
  }

  #remove(sites: readonly string[], change: string): void {
    this.#list.remove(sites);
    this.#each(sites, { type: "removed" }, change);
  }

  #add(site: string, change: string): void {
    this.#list.add(this.#sites.get(site) as ListedSite);
    this.#environment.facts.state({ type: "site.changed", site, change });
  }

  #change(site: string, { capacity, latency, queueLimit, blocks }: SiteChange): void {
    const { facts } = this.#environment;
    if (capacity !== undefined) {
      this.#each([site], { type: "capacity.set", capacity: numberOf(capacity) }, `capacity ${capacity}`);
    }
    if (queueLimit !== undefined) {
      this.#each([site], { type: "queue-limit.set", queueLimit: numberOf(queueLimit) }, `queue limit ${queueLimit}`);
    }
    if (latency !== undefined) {
      this.#setLatency(site, latency);
      facts.state({ type: "site.changed", site, change: "latency" });
    }
    if (blocks !== undefined) {
      this.#blocks.set(site, blocks);
      facts.state({ type: "site.changed", site, change: blocksText(blocks) });
    }
  }

  #each(sites: readonly string[], event: SiteEvent, change: string): void {
    for (const site of sites) {
      this.#environment.facts.state({ type: "site.changed", site, change });
      const machine = this.#machines.get(site);
      if (machine !== undefined) machine.send(event);
      else this.#past.set(site, [...(this.#past.get(site) ?? []), event]);
    }
  }
}

function blocksText(blocks: Blocks): string {
  if (blocks === null) return "blocks nobody";
  const whom = blocks.agents ? ["agents"] : [...blocks.strategies, ...blocks.assistants];
  return `${blocks.withholds === "documents" ? "withholds documents from" : "blocks"} ${whom.join(", ")}`;
}

function numberOf(limit: number | "unlimited"): number {
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : limit;
}
