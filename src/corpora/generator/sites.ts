import { Categorical } from "../../kernel/categorical.ts";
import type { Stream, Streams } from "../../kernel/random.ts";
import type { Site } from "../format.ts";
import { pick } from "./entities.ts";
import type { Parameters } from "./parameters.ts";
import { compile, fill } from "./template.ts";
import { type SiteTopic, siteTopics } from "./topics.ts";
import type { Field } from "./world/model.ts";
import { type Voice, voices } from "./world/voices.ts";

/** A site with what the generator alone knows of it. */
export interface PlannedSite {
  readonly site: Site;
  readonly voice: Voice;
  readonly generalist: boolean;
  /** The share of all pages, and of all gold pages, that it should hold. */
  readonly size: number;
  readonly gold: number;
  /** How often it gets a fact wrong, relative to the mean of 1. */
  readonly unreliability: number;
}

/** The sites of a corpus, and who writes about what. */
export interface SitePlan {
  readonly sites: readonly PlannedSite[];
  /** For each topic, the sites that cover it and a draw among them. */
  readonly coverage: readonly { readonly sites: readonly number[]; readonly draw: Categorical }[];
}

/** Sites that scenarios count on, with their place in the order of size. */
const fixedRanks = new Map([
  ["encyclopedia.example", 0],
  ["brightnews.example", 4],
  ["docs.example", 12],
]);

export function planSites(count: number, parameters: Parameters, streams: Streams): SitePlan {
  const stream = streams.stream("sites", "plan");
  const order = rankedHosts(count, stream);
  const size = normalised(order.map((_, rank) => 1 / (rank + 4)));
  const gold = goldShares(count);
  const generalists = chooseGeneralists(order, gold, parameters, stream);
  const topics = assignTopics(order, size, generalists, stream).map((list) => byImportance(list, parameters, stream));
  const sites = order.map(({ voice, name, host }, rank): PlannedSite => {
    const generalist = generalists.has(rank);
    const authority = rounded(clamp(voice.authority + stream.normal(0, 0.12), 0.05, 0.98));
    const covered = topics[rank]!.map(({ topic }) => topic).sort((a, b) => a - b);
    const labels = covered.map((topic) => siteTopics[topic]!.label);
    const site: Site = {
      id: host,
      name,
      description: describe(voice, name, topics[rank]!, generalist, stream),
      topics: labels,
      priors: { authority, popularity: rounded(gold[rank]!) },
    };
    return { site, voice, generalist, size: size[rank]!, gold: gold[rank]!, unreliability: 1.9 - 1.6 * authority };
  });
  return { sites, coverage: cover(topics, size) };
}

/** Zipf-Mandelbrot with exponent 2 and shift 12 a hundred sites: top 1 8.3 %, top 5 32 %, top 10 50 %. */
function goldShares(count: number): number[] {
  const shift = (12 * count) / 100;
  return normalised(Array.from({ length: count }, (_, rank) => 1 / ((rank + 1 + shift) * (rank + 1 + shift))));
}

interface Host {
  readonly voice: Voice;
  readonly name: string;
  readonly host: string;
}

/** The hosts, largest first: each kind of site in its share, the order drawn but for the fixed places. */
function rankedHosts(count: number, stream: Stream): Host[] {
  const hosts = stream.shuffle(allHosts(count));
  for (const [host, rank] of fixedRanks) {
    const at = hosts.findIndex((other) => other.host === host);
    if (at < 0 || rank >= hosts.length) continue;
    const [moved] = hosts.splice(at, 1);
    hosts.splice(rank, 0, moved!);
  }
  return hosts;
}

/** The hand-written names first, in turn over the kinds; then the same names with a place before them. */
function allHosts(count: number): Host[] {
  const hosts: Host[] = [];
  const places = ["north", "south", "east", "west", "upper", "lower", "old", "new", "inner", "outer"];
  for (let round = 0; hosts.length < count; round++) {
    const prefix = round === 0 ? "" : places[(round - 1) % places.length]!;
    const suffix = round <= places.length ? "" : String(Math.floor((round - 1) / places.length) + 1);
    const longest = Math.max(...voices.map(({ names }) => names.length));
    for (let at = 0; at < longest; at++) {
      for (const voice of voices) {
        const entry = voice.names[at];
        if (entry === undefined || hosts.length === count) continue;
        const [name, host] = entry.split("|") as [string, string];
        const label = `${prefix}${prefix === "" ? "" : "-"}${host.slice(0, -".example".length)}${suffix}`;
        const title = prefix === "" ? name : `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)} ${name}`;
        hosts.push({ voice, name: suffix === "" ? title : `${title} ${suffix}`, host: `${label}.example` });
      }
    }
  }
  return hosts;
}

/** A generalist wins more gold than its popularity says, since its rivals in a topic are the small ones. */
const generalistHandicap = 0.84;

/** The given share of sites, chosen by swaps until together they hold the given share of gold. */
function chooseGeneralists(order: Host[], gold: number[], parameters: Parameters, stream: Stream): Set<number> {
  const able = stream.shuffle(order.flatMap(({ voice }, rank) => (voice.generalist ? [rank] : [])));
  const wanted = Math.min(able.length, Math.round(order.length * parameters.generalists));
  const inside = able.slice(0, wanted);
  const outside = able.slice(wanted);
  const target = generalistHandicap * parameters.generalistGold;
  let sum = inside.reduce((total, rank) => total + gold[rank]!, 0);
  for (let trial = 0; trial < 40 * order.length && inside.length > 0 && outside.length > 0; trial++) {
    const i = stream.integer(inside.length);
    const o = stream.integer(outside.length);
    const change = gold[outside[o]!]! - gold[inside[i]!]!;
    if (Math.abs(sum + change - target) >= Math.abs(sum - target)) continue;
    [inside[i], outside[o]] = [outside[o]!, inside[i]!];
    sum += change;
  }
  return new Set(inside);
}

/** The fewest topics of a generalist. */
const generalTopics = 30;

/**
 * The topics each site covers, kind by kind, for sites know their subject: thirty or more for a generalist, for the
 * others some of the kind that has the most left to write about, and of further kinds of its field if they are large.
 */
function assignTopics(order: Host[], size: number[], generalists: Set<number>, stream: Stream): number[][] {
  const free = new Map<number, number>();
  for (const { kind, mass } of siteTopics) free.set(kind, (free.get(kind) ?? 0) + mass);
  const ranks = [...order.keys()];
  const topics = ranks.map((): number[] => []);
  const take = (rank: number, many: number): void => {
    const { fields } = order[rank]!.voice;
    const kinds = stream.shuffle(kindsOf(fields)).sort((a, b) => free.get(b)! - free.get(a)!);
    const list = generalists.has(rank) ? kinds : kindsOf([fieldOf(kinds[0]!)], kinds);
    for (const kind of list) {
      if (topics[rank]!.length >= many) break;
      const own = stream.shuffle(topicsOf(kind)).slice(0, many - topics[rank]!.length);
      topics[rank]!.push(...own);
      free.set(kind, free.get(kind)! - (size[rank]! * own.length) / many);
    }
  };
  for (const rank of ranks) {
    const large = Math.round(size[rank]! * 100);
    take(rank, generalists.has(rank) ? generalTopics + large + stream.integer(4) : 3 + 2 * large + stream.integer(2));
  }
  // Nothing may be left out: a topic with fewer than three sites goes to those that cover the most of its kind.
  for (const topic of siteTopics.keys()) {
    const near = (rank: number): number =>
      topics[rank]!.filter((other) => siteTopics[other]!.kind === siteTopics[topic]!.kind).length;
    const missing = Math.min(3, order.length) - topics.filter((list) => list.includes(topic)).length;
    const others = ranks.filter((rank) => !topics[rank]!.includes(topic));
    others.sort((a, b) => near(b) - near(a) || a - b);
    for (const rank of others.slice(0, Math.max(0, missing))) topics[rank]!.push(topic);
  }
  return topics.map((list) => list.sort((a, b) => a - b));
}

function topicsOf(kind: number): number[] {
  return siteTopics.flatMap((topic, at) => (topic.kind === kind ? [at] : []));
}

function fieldOf(kind: number): Field {
  return siteTopics.find((topic) => topic.kind === kind)!.field;
}

/** The kinds of some fields, in the order given or else in their own. */
function kindsOf(fields: readonly Field[], order = [...new Set(siteTopics.map(({ kind }) => kind))]): number[] {
  return order.filter((kind) => fields.includes(fieldOf(kind)));
}

/** A topic of a site: how much the site has on it beside others, and whether its description names it. */
interface CoveredTopic {
  readonly topic: number;
  readonly importance: number;
  readonly named: boolean;
}

/** How much a site has on a topic that its description does not name, beside one that it names. */
const sideline = 0.12;

/** The topics of a site in an order of importance: it names the first ones, and has little on the rest. */
function byImportance(topics: readonly number[], { namedTopics }: Parameters, stream: Stream): CoveredTopic[] {
  const named = Math.max(1, Math.round(topics.length * namedTopics));
  return stream
    .shuffle([...topics])
    .map((topic, place) => ({ topic, importance: place < named ? 1 : sideline, named: place < named }));
}

/** The draws of a site for each topic, fitted so that every site gets its share of all pages. */
function cover(topics: CoveredTopic[][], size: number[]): SitePlan["coverage"] {
  const covering: { site: number; importance: number }[][] = siteTopics.map(() => []);
  for (const [site, list] of topics.entries()) {
    for (const { topic, importance } of list) covering[topic]!.push({ site, importance });
  }
  const weight = [...size];
  for (let round = 0; round < 60; round++) {
    const reached = new Float64Array(size.length);
    for (const [topic, sites] of covering.entries()) {
      const sum = sites.reduce((total, { site, importance }) => total + importance * weight[site]!, 0);
      for (const { site, importance } of sites) {
        reached[site]! += (siteTopics[topic]!.mass * importance * weight[site]!) / sum;
      }
    }
    for (const site of weight.keys()) if (reached[site]! > 0) weight[site]! *= size[site]! / reached[site]!;
  }
  return covering.map((sites) => ({
    sites: sites.map(({ site }) => site),
    draw: new Categorical(sites.map(({ site, importance }) => importance * weight[site]!)),
  }));
}

/** Two to four sentences that name a share of the site's topics. */
function describe(
  voice: Voice,
  name: string,
  topics: readonly CoveredTopic[],
  generalist: boolean,
  stream: Stream,
): string {
  const draw = (): number => stream.uniform();
  const field = generalist ? "all walks of life" : fieldNames[siteTopics[topics[0]!.topic]!.field];
  const named = topics.filter((covered) => covered.named).map(({ topic }) => glossed(siteTopics[topic]!, stream));
  const sentences = [fill(compile(voice.blurbs[0]!), (slot) => (slot === "site" ? name : field), draw)];
  const half = named.length > 6 ? Math.ceil(named.length / 2) : named.length;
  sentences.push(
    fill(compile("[It covers|You find|Its pages deal with] {list}."), () => listed(named.slice(0, half)), draw),
  );
  if (half < named.length) {
    sentences.push(
      fill(compile("[There is also|Further sections are] {list}."), () => listed(named.slice(half)), draw),
    );
  }
  if (draw() < 0.5) sentences.push(fill(compile(pickTail), () => "", draw));
  return sentences.join(" ");
}

/** A topic as descriptions name it: by its label, with another name for those who do not know it under this one. */
function glossed({ label, forms }: SiteTopic, stream: Stream): string {
  const others = forms.filter((form) => !label.includes(form));
  return others.length === 0 ? label : `${label} (${pick(others, stream)})`;
}

const pickTail =
  "[New pages appear every week.|Registration is free.|It has been online for many years.|Most readers come back.]";

const fieldNames: Record<Field, string> = {
  food: "food and drink",
  travel: "travel and places",
  culture: "books, film and music",
  nature: "plants and animals",
  health: "health and medicine",
  technology: "devices and software",
  society: "work, rights and money",
  sports: "sports",
  science: "science and discovery",
  home: "house and craft",
};

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
}

function normalised(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
