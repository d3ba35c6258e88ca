import type { Chart } from "../charts/draw.ts";
import { csvLine } from "../csv.ts";
import { Html, html } from "./html.ts";

/** A chart in a page: its drawings, what to make of it, and what it shows as a table and as CSV. */
export function figure(
  chart: Chart,
  { note, controls, after }: { note?: Html; controls?: Html; after?: Html | null } = {},
): Html {
  const { id, title, drawings } = chart;
  return html`<figure id="${id}" class="figure">
<figcaption><h3>${title}</h3>${note ?? null}</figcaption>
${controls ?? null}
<div class="drawings${drawings.length > 1 ? " several" : ""}">${drawings.map(
    ({ name, svg }) =>
      html`<div class="drawing"${drawings.length > 1 ? null : mayScroll(title)}>${name === "" ? null : html`<p class="drawing-name">${name}${name.endsWith("Ms") ? ", in s" : ""}</p>`}${new Html(svg)}</div>`,
  )}</div>
${after ?? null}
${dataOf(chart)}
</figure>`;
}

/** A wide drawing scrolls by itself on a narrow screen, by keyboard too. */
function mayScroll(title: string): Html {
  return html` tabindex="0" role="group" aria-label="Chart: ${title}"`;
}

function dataOf({ title, id, columns, rows }: Chart): Html {
  return html`<details class="data"><summary>Data of this chart<span class="hidden">: ${title}</span></summary>
<p><a href="${csvLink([columns, ...rows])}" download="${id}.csv">Download ${id}.csv</a></p>
${table(title, columns, rows)}
</details>`;
}

/** A file of CSV in a link of its own. */
export function csvLink(rows: readonly (readonly (string | number | null)[])[]): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(rows.map(csvLine).join(""))}`;
}

type Cell = string | number | null | Html;

/** A table whose first column names the row; it scrolls by itself where the page is narrow. */
export function table(caption: string, columns: readonly (string | Html)[], rows: readonly (readonly Cell[])[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column, index) => html`<th scope="col"${isNumeric(rows, index) ? num : null}>${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, index) =>
        index === 0
          ? html`<th scope="row">${cellText(cell)}</th>`
          : html`<td${isNumeric(rows, index) ? num : null}>${cellText(cell)}</td>`,
      )}</tr>
`,
  )}</tbody></table></div>`;
}

const num = new Html(' class="num"');

/** A column of numbers, or of texts that begin as numbers do. */
function isNumeric(rows: readonly (readonly Cell[])[], index: number): boolean {
  if (index === 0) return false;
  return rows.every((row) => {
    const cell = row[index];
    return (
      cell === null || typeof cell === "number" || (typeof cell === "string" && /^([-–]|[-\d.,]+( |$))/.test(cell))
    );
  });
}

function cellText(cell: Cell | undefined): Html | string {
  if (cell instanceof Html) return cell;
  return cell === null || cell === undefined ? "–" : String(cell);
}
