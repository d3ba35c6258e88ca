import type { Stream } from "../../../kernel/random.ts";
import type { WebRecommendationTopic } from "../../format.ts";
import { type Entity, pick } from "../entities.ts";
import { type Page, writePage } from "../page.ts";
import type { Parameters } from "../parameters.ts";
import type { PlannedSite, SitePlan } from "../sites.ts";
import type { Subject } from "./facts.ts";
import type { Field } from "../world/model.ts";
import { starts, townEnds } from "../world/pools.ts";

export interface WebRecommendationItem {
  readonly kind: "topic";
  readonly task: "web-recommendation";
  readonly topic: WebRecommendationTopic;
  /** What the user is after: the gold page is one of all pages of this field. */
  readonly field: Field;
  /** Whether the gold page is on the site of the last page of the history. */
  readonly sameSite: boolean;
}

/** A page that was written, and what it is about. */
interface Known {
  readonly page: Page;
  readonly entity: Entity;
}

type Visit = WebRecommendationTopic["history"][number];

/** How many of the latest pages of a field are remembered: what histories and gold pages are drawn from. */
const remembered = 400;
/** A field with fewer pages gives no history yet. */
const enough = 60;

const shortest = 7;
const longest = 25;
/** How much of a history is outside the corpus; how much of the rest is about what the user is after. */
const outside = 0.35;
const onIntent = 0.65;

/** A visit is a few minutes after the one before, or hours. */
const breaks = 0.12;
const minute = 60_000;
const firstDay = Date.UTC(2027, 0, 1);
const days = 90;

/** Writes histories of visited pages, each with the page that comes next: one of many that would do as well. */
export class RecommendationWriter {
  private written = 0;
  private readonly latest = new Map<Field, Known[]>();

  constructor(
    private readonly parameters: Parameters,
    private readonly plan: SitePlan,
  ) {}

  /** Takes note of pages that histories may be made of. */
  remember({ entity, pages }: Subject): void {
    const { field } = entity.kind;
    const list = [...(this.latest.get(field) ?? []), ...pages.map((page) => ({ page, entity }))];
    this.latest.set(field, list.slice(-remembered));
  }

  /** A topic of a field, while fewer than `due` are written. */
  write(field: Field, due: number, stream: Stream): WebRecommendationItem | undefined {
    const own = this.latest.get(field) ?? [];
    if (this.written >= due || own.length < enough) return undefined;
    const sameSite = stream.uniform() < this.parameters.sameSite;
    const gold = pick(own, stream).page;
    const before = own.filter(({ page }) => page !== gold && (page.site === gold.site) === sameSite);
    if (before.length === 0) return undefined;
    const topic: WebRecommendationTopic = {
      id: `wr-${String(++this.written).padStart(5, "0")}`,
      history: this.history(own, gold, pick(before, stream).page, stream),
      relevant: { [gold.document.id]: 1 },
    };
    return { kind: "topic", task: "web-recommendation", topic, field, sameSite };
  }

  private history(own: readonly Known[], gold: Page, last: Page, stream: Stream): Visit[] {
    const many = shortest + stream.integer(longest - shortest + 1);
    const times = timesOf(many, stream);
    const all = [...this.latest.values()].flat();
    const seen = new Set([gold, last]);
    return times.map((atMs, place): Visit => {
      if (place === many - 1) return visit(last, atMs);
      const { page, entity } = pick(stream.uniform() < onIntent ? own : all, stream);
      if (stream.uniform() < outside || seen.has(page)) return this.elsewhere(entity, atMs, stream);
      seen.add(page);
      return visit(page, atMs);
    });
  }

  /** A page about an entity on a site that the corpus does not have. */
  private elsewhere(entity: Entity, atMs: number, stream: Stream): Visit {
    const like = pick(this.plan.sites, stream);
    const name = `${pick(starts, stream)}${pick(townEnds, stream)}`;
    const host = `${name.toLowerCase()}-${pick(["weekly", "blog", "shop", "radio", "town"], stream)}.example`;
    const site: PlannedSite = { ...like, site: { ...like.site, id: host, name } };
    const aspect = stream.integer(entity.kind.aspects.length);
    const id = `page-${1 + stream.integer(9999)}`;
    const { document } = writePage({ entity, sibling: entity, aspect, site, id, foot: "" }, this.parameters, stream);
    return { title: document.title, url: document.url, atMs };
  }
}

function visit({ document: { id, title, url } }: Page, atMs: number): Visit {
  return { doc: id, title, url, atMs };
}

/** Whole minutes, none before the one before it. */
function timesOf(many: number, stream: Stream): number[] {
  let time = firstDay + stream.integer(days * 24 * 60) * minute;
  return Array.from({ length: many }, () => {
    time += Math.floor(stream.exponential(stream.uniform() < breaks ? 300 : 4)) * minute;
    return time;
  });
}
