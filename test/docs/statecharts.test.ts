import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawn, page } from "./statecharts.ts";

test("the statecharts on the page are those of the machines (npm run statecharts draws them)", () => {
  const text = readFileSync(page, "utf8");
  expect(text).toBe(drawn(text));
  expect(text).toContain("planning_awaitingModel --> acting_searching: action.search");
  expect(text).toContain("acting_awaitingSites --> acting_awaitingSites: after requestTimeout / timeOut");
});
