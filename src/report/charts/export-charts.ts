import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { InputError } from "../../errors.ts";
import { csvLine } from "../csv.ts";
import type { Chart } from "./draw.ts";
import { withLightColours } from "./palette.ts";

/** Pixels of a PNG to a unit of its drawing: sharp in print at the width of a page. */
const scale = 3;

/**
 * Writes each drawing as SVG and PNG on light paper, and each chart's data as CSV.
 * @returns how many drawings there are
 */
export async function exportCharts(charts: readonly Chart[], directory: string): Promise<number> {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new InputError(`no charts can be written there (${(error as Error).message})`, { file: directory });
  }
  const require = createRequire(import.meta.url);
  await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  // A renderer that sees no system has no fonts; this one writes Latin letters only.
  const fonts = [
    require.resolve("@fontsource/inter/files/inter-latin-400-normal.woff2"),
    require.resolve("@fontsource/inter/files/inter-latin-600-normal.woff2"),
  ];
  const fontBuffers = fonts.map((file) => readFileSync(file));
  let count = 0;
  for (const { id, drawings, columns, rows } of charts) {
    writeFileSync(join(directory, `${id}.csv`), [columns, ...rows].map(csvLine).join(""));
    for (const { name, svg } of drawings) {
      const file = join(directory, name === "" ? id : `${id}-${fileName(name)}`);
      const coloured = withLightColours(svg);
      writeFileSync(`${file}.svg`, `${coloured}\n`);
      const picture = new Resvg(coloured, {
        background: "#ffffff",
        fitTo: { mode: "zoom", value: scale },
        font: { fontBuffers, defaultFontFamily: "Inter", sansSerifFamily: "Inter" },
      }).render();
      writeFileSync(`${file}.png`, picture.asPng());
      picture.free();
      count++;
    }
  }
  return count;
}

/** Names of measures have signs that some file systems refuse. */
function fileName(name: string): string {
  return name.replaceAll("@", "-at-").replace(/[^\w.-]/g, "-");
}
