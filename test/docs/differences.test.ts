import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { page, tableRows } from "./pages.ts";

const rows = tableRows(page("docs/background/differences-from-agentwebbench.md").text);

test("every difference from the original is shown by a test of the name that the page gives", () => {
  expect(rows.length).toBeGreaterThanOrEqual(28);
  const missing = rows.filter(([, , shown = ""]) => {
    const [, file = "", name = ""] = /^`(test\/\S+\.test\.ts)`: "(.+)"$/.exec(shown) ?? [];
    return name === "" || !readFileSync(join(packageRoot, file), "utf8").includes(`"${name}`);
  });
  expect(missing).toEqual([]);
});
