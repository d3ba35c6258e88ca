import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";

/** A drawing of a chart, as SVG. */
export interface Drawing {
  /** Part of the file's name where a chart has several; empty for the only one. */
  readonly name: string;
  readonly svg: string;
}

/** A chart with what it shows as a table. Texts are plain: who writes them into a page escapes them. */
export interface Chart {
  /** A name for files and links. */
  readonly id: string;
  readonly title: string;
  /** What there is to see, for those who cannot see it. */
  readonly description: string;
  readonly drawings: readonly Drawing[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** As much of an element of a drawing as charts mark. */
interface Shape {
  setAttribute(name: string, value: string): void;
}

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/**
 * Draws a plot as SVG text, without a browser.
 * @param description what a screen reader says instead
 * @param tag marks the n-th area, line or bar of the drawing, from 0
 */
export function draw(
  options: Plot.PlotOptions,
  description: string,
  tag?: (shape: Shape, index: number) => void,
): string {
  const svg = Plot.plot({
    style: { fontSize: "12px" },
    ...options,
    document: document as unknown as NonNullable<Plot.PlotOptions["document"]>,
  }) as unknown as Element;
  svg.querySelector("style")?.remove();
  if (tag !== undefined) svg.querySelectorAll("g[aria-label=area] path").forEach(tag);
  for (const part of svg.querySelectorAll("[aria-label],[aria-hidden]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-hidden");
  }
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("class", "chart");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", description);
  return svg.outerHTML;
}

interface Element extends Shape {
  readonly outerHTML: string;
  removeAttribute(name: string): void;
  remove(): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(
    selector: string,
  ): Iterable<Element> & { forEach(use: (each: Element, index: number) => void): void };
}
