import { describe, expect, it } from "vitest";
import { concentrationOverTime, lorenz } from "../../src/report/charts/concentration.ts";
import { paletteCss, seriesColour, withLightColours } from "../../src/report/charts/palette.ts";
import { trafficOverTime } from "../../src/report/charts/traffic-over-time.ts";
import type { TrafficWindow } from "../../src/statistics/traffic.ts";

const hour = 3_600_000;

function windowsOf(counts: readonly Readonly<Record<string, number>>[]): TrafficWindow[] {
  return counts.map((each, index) => {
    const sites = new Map(Object.entries(each));
    return {
      startMs: index * hour,
      endMs: (index + 1) * hour,
      traffic: { contacts: new Map(), visits: new Map(), documents: sites, exposure: sites, citations: sites },
    };
  });
}

describe("The chart of traffic over time", () => {
  const windows = windowsOf([{ a: 300, b: 100 }, { a: 50, b: 50 }, {}]);
  const marks = [{ t: hour, endMs: 2 * hour, label: "outage of a" }];
  const chart = trafficOverTime("citations", windows, ["a", "b", "c"], marks);

  it("has a band a site, marked by its place, and the shares as a table", () => {
    expect(chart?.drawings[0]?.svg.match(/data-site="\d+"/g)).toEqual([
      'data-site="0"',
      'data-site="1"',
      'data-site="2"',
    ]);
    expect(chart?.columns).toEqual(["site", "00:00:00", "01:00:00", "02:00:00"]);
    expect(chart?.rows).toEqual([
      ["a", 0.75, 0.5, 0],
      ["b", 0.25, 0.5, 0],
      ["c", 0, 0, 0],
      ["all citations", 400, 100, 0],
    ]);
    expect(chart?.drawings[0]?.svg).not.toContain("NaN");
  });

  it("greys the two thin windows and shades the outage", () => {
    const svg = chart?.drawings[0]?.svg ?? "";
    const rectanglesAt = (opacity: string) =>
      svg.match(new RegExp(`<g [^>]*fill-opacity="${opacity}"[^>]*>(.*?)</g>`))?.[1]?.match(/<rect/g)?.length;
    expect(rectanglesAt("0.65")).toBe(2);
    expect(rectanglesAt("0.12")).toBe(1);
  });

  it("is none where nothing was cited", () => {
    expect(trafficOverTime("contacts", windows, ["a"], [])).toBeNull();
  });

  it("stays small with many sites and windows: the least busy share a band", () => {
    const sites = Array.from({ length: 2000 }, (_, index) => `s${index}`);
    const counts = Object.fromEntries(sites.map((site, index) => [site, 2000 - index]));
    const large = trafficOverTime("citations", windowsOf(Array.from({ length: 200 }, () => counts)), sites, []);
    expect(large?.drawings[0]?.svg.length).toBeLessThan(600_000);
    expect(large?.rows.length).toBe(101);
  });
});

describe("The chart of concentration over time", () => {
  it("has the effective number of sites of full windows, and nothing of thin ones", () => {
    const chart = concentrationOverTime(windowsOf([{ a: 500, b: 500 }, { a: 10 }, { a: 1000 }]), ["a", "b"], []);
    const citations = chart?.rows.filter(([measure]) => measure === "citations");
    expect(citations?.map(([, , n]) => n)).toEqual([1000, 10, 1000]);
    const [even, thin, one] = citations?.map(([, , , effective]) => effective) as [number, null, number];
    expect(even).toBeCloseTo(2, 1);
    expect(thin).toBeNull();
    expect(one).toBe(1);
  });

  it("is none with fewer than two full windows", () => {
    expect(concentrationOverTime(windowsOf([{ a: 500 }, { a: 3 }]), ["a"], [])).toBeNull();
  });
});

describe("The Lorenz curve", () => {
  it("counts declared sites without traffic", () => {
    const traffic = windowsOf([{ a: 3, b: 1 }])[0]?.traffic as TrafficWindow["traffic"];
    expect(lorenz(traffic, ["a", "b", "c", "d"])?.rows).toEqual([
      ["citations", 0, 0],
      ["citations", 0.25, 0],
      ["citations", 0.5, 0],
      ["citations", 0.75, 0.25],
      ["citations", 1, 1],
    ]);
  });
});

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe("The palette", () => {
  const blocks = paletteCss().split("\n");
  it.each([
    ["light", 0],
    ["dark", 1],
  ])("of %s paper has text of contrast 4.5 and series of contrast 2.5 at least", (_, index) => {
    const colours = new Map(
      [...(blocks[index] as string).matchAll(/--([\w-]+):(#\w{6})/g)].map(([, name, value]) => [name, value as string]),
    );
    const paper = colours.get("paper") as string;
    for (const name of ["ink", "quiet", "accent", "warn"]) {
      expect(contrast(colours.get(name) as string, paper), name).toBeGreaterThan(4.5);
      expect(contrast(colours.get(name) as string, colours.get("raised") as string), name).toBeGreaterThan(4.5);
    }
    for (let n = 0; n < 8; n++) expect(contrast(colours.get(`c${n}`) as string, paper), `c${n}`).toBeGreaterThan(2.5);
  });

  it("names no colour that a file of its own would lack", () => {
    expect(withLightColours(`${seriesColour(0)} ${seriesColour(9)} currentColor`)).toMatch(/^#\w{6} #\w{6} #\w{6}$/);
  });
});
