import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import { paletteCss } from "../charts/palette.ts";
import { Html, html } from "./html.ts";

/** A part of a page with a heading that the list of contents leads to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Stands beside the heading. */
  readonly tag: Html | null;
  readonly body: Html;
}

export interface Page {
  readonly title: string;
  /** What stands above the list of contents. */
  readonly head: Html;
  readonly sections: readonly Section[];
  readonly foot: Html;
}

/**
 * A page that is one file: style, script and drawings are in it, and it asks for nothing. A browser is told so too:
 * should markup of foreign texts ever slip through, it runs no script but ours.
 */
export function renderPage({ title, head, sections, foot }: Page): string {
  const style = `${paletteCss()}\n${readPart("style.css")}`;
  const script = readPart("script.js");
  const hash = createHash("sha256").update(script, "utf8").digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>${head}</header>
<div class="columns">
<nav aria-label="Contents"><ul>${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main id="content">
${sections.map(
  ({ id, title: name, tag, body }) => html`<section id="${id}" aria-labelledby="${id}-title">
<div class="heading"><h2 id="${id}-title">${name}</h2>${tag}</div>
${body}
</section>
`,
)}</main>
</div>
<footer>${foot}</footer>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

function readPart(name: string): string {
  return readFileSync(join(packageRoot, "src", "report", "page", name), "utf8");
}
