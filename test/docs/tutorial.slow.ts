import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { blocksOf, page } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-tutorial-"));
symlinkSync(join(packageRoot, "scenarios"), join(folder, "scenarios"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const awesim = `awesim() { "${process.execPath}" --import ${tsx} "${join(packageRoot, "src/cli/main.ts")}" "$@"; }`;

/** A block of output as a pattern: three dots stand for anything. */
function pattern(text: string): RegExp {
  const parts = text
    .trim()
    .split("...")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}$`);
}

const blocks = blocksOf(page("docs/tutorial/first-run.md"));
const steps = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1];
  return language === "sh" ? [{ command: text.trim(), output: next?.language === "text" ? next.text : null }] : [];
});

// In order: each step builds on the ones before.
test.each(steps)("$command", ({ command, output }) => {
  const shown = execFileSync("bash", ["-c", `${awesim}\n${command}`], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, AWESIM_CACHE: join(packageRoot, ".awesim") },
  });
  if (output !== null) expect(shown.trim()).toMatch(pattern(output));
});
