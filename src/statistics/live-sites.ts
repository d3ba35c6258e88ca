import { concentration } from "../metrics/concentration.ts";

/** How busy a site is so far. */
export interface SiteActivity {
  readonly site: string;
  readonly contacts: number;
  /** Of all contacts so far, in [0, 1]. */
  readonly share: number;
  /** Share of the contacts in this window less that in the last one; null while either window is thin. */
  readonly change: number | null;
  readonly citations: number;
  /** Its share of the contacts window by window, oldest first, the present window last; at most `shownWindows`. */
  readonly trend: readonly number[];
}

interface SiteCounts {
  readonly site: string;
  contacts: number;
  citations: number;
  inWindow: number;
  inLastWindow: number;
  /** Contacts in the windows before, oldest first. */
  readonly past: number[];
}

/** Below this many contacts a window's shares are mostly noise: one contact is more than a percentage point. */
const thinWindow = 100;

/** How many windows a trend goes back. */
const shownWindows = 12;

/** Contacts and citations a site, so far and in the last two windows of virtual time. */
export class LiveSites {
  readonly #sites = new Map<string, SiteCounts>();
  readonly #windowMs: number;
  #windowEndMs: number;
  #contacts = 0;
  #inWindow = 0;
  #inLastWindow = 0;
  readonly #pastTotals: number[] = [];
  readonly #effective: (number | null)[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#windowEndMs = windowMs;
  }

  contact(site: string, atMs: number): void {
    if (atMs >= this.#windowEndMs) this.#moveWindow(atMs);
    const counts = this.#of(site);
    counts.contacts += 1;
    counts.inWindow += 1;
    this.#contacts += 1;
    this.#inWindow += 1;
  }

  cite(site: string): void {
    this.#of(site).citations += 1;
  }

  /** The sites with most contacts, ties by id. */
  busiest(limit: number): SiteActivity[] {
    const top: SiteCounts[] = [];
    for (const counts of this.#sites.values()) {
      const last = top[limit - 1];
      if (last !== undefined && !busier(counts, last)) continue;
      let place = Math.min(top.length, limit - 1);
      for (; place > 0 && busier(counts, top[place - 1]!); place--) top[place] = top[place - 1]!;
      top[place] = counts;
    }
    return top.map((counts) => this.#activity(counts));
  }

  /**
   * The effective number of sites of the windows that are over, oldest first: as if their contacts were spread evenly
   * over so many; null for a thin window.
   */
  get effectiveSites(): readonly (number | null)[] {
    return [...this.#effective];
  }

  get count(): number {
    return this.#sites.size;
  }

  #of(site: string): SiteCounts {
    let counts = this.#sites.get(site);
    if (counts === undefined) {
      counts = { site, contacts: 0, citations: 0, inWindow: 0, inLastWindow: 0, past: [] };
      this.#sites.set(site, counts);
    }
    return counts;
  }

  /** Makes the window the one that holds `atMs`; the last one is the one before it, which may have been empty. */
  #moveWindow(atMs: number): void {
    const passed = Math.floor((atMs - this.#windowEndMs) / this.#windowMs) + 1;
    this.#effective.push(this.#inWindow < thinWindow ? null : this.#effectiveNow());
    for (let empty = 1; empty < Math.min(passed, shownWindows); empty++) this.#effective.push(null);
    keepLast(this.#effective, shownWindows);
    for (const counts of this.#sites.values()) {
      close(counts.past, counts.inWindow, passed);
      counts.inLastWindow = passed === 1 ? counts.inWindow : 0;
      counts.inWindow = 0;
    }
    close(this.#pastTotals, this.#inWindow, passed);
    this.#inLastWindow = passed === 1 ? this.#inWindow : 0;
    this.#inWindow = 0;
    this.#windowEndMs = (Math.floor(atMs / this.#windowMs) + 1) * this.#windowMs;
  }

  #effectiveNow(): number | null {
    return concentration([...this.#sites.values()].map(({ inWindow }) => inWindow)).effectiveSites;
  }

  #activity({ site, contacts, citations, inWindow, inLastWindow, past }: SiteCounts): SiteActivity {
    const thin = this.#inWindow < thinWindow || this.#inLastWindow < thinWindow;
    const change = thin ? null : inWindow / this.#inWindow - inLastWindow / this.#inLastWindow;
    const totals = [...this.#pastTotals, this.#inWindow].slice(-1 - past.length);
    const trend = [...past, inWindow].map((count, i) => (totals[i] ? count / totals[i] : 0));
    return { site, contacts, share: this.#contacts === 0 ? 0 : contacts / this.#contacts, change, citations, trend };
  }
}

/** Notes a window that is over and the empty ones after it. */
function close(past: number[], count: number, passed: number): void {
  past.push(count);
  for (let empty = 1; empty < Math.min(passed, shownWindows); empty++) past.push(0);
  keepLast(past, shownWindows - 1);
}

function keepLast(values: unknown[], most: number): void {
  if (values.length > most) values.splice(0, values.length - most);
}

function busier(a: SiteCounts, b: SiteCounts): boolean {
  if (a.contacts !== b.contacts) return a.contacts > b.contacts;
  return a.site < b.site;
}
