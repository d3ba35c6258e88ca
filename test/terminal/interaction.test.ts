import { expect, test } from "vitest";
import { LiveStatistics } from "../../src/statistics/live.ts";
import { type Choice, choose, noChoice } from "../../src/terminal/interaction.ts";
import { dayMs, syntheticDay } from "./synthetic-run.ts";

const statistics = new LiveStatistics({ untilMs: dayMs, expectedQueries: null, windowMs: dayMs / 12 });
for (const fact of syntheticDay(300)) statistics.listen(fact);
const snapshot = statistics.snapshot();

/** The choice after some keys; a key that chooses nothing leaves it. */
function after(...keys: string[]): Choice {
  return keys.reduce<Choice>((choice, key) => choose(choice, key, snapshot) ?? choice, noChoice);
}

test("tab goes through the panels and back to all of them, numbers go to one", () => {
  const tabs = Array.from({ length: 7 }, (_, i) => after(...Array.from({ length: i }, () => "tab")).panel);
  expect(tabs).toEqual([null, "traffic", "tasks", "models", "interventions", "messages", null]);
  expect(after("5").panel).toBe("messages");
});

test("arrows move over the rows, stop at the ends, and enter opens the page of one", () => {
  const sites = snapshot.sites.map(({ site }) => site);
  expect(after("1", "down", "down").selected).toBe(sites[1]);
  expect(after("1", "down", "up", "up").selected).toBe(sites[0]);
  expect(after("down", "down", "enter").open).toEqual({ kind: "site", id: sites[1], scrolled: 0 });
  const query = after("5", "down", "enter").open;
  expect(query).toEqual({ kind: "query", id: snapshot.lastMessages[0]?.query, scrolled: 0 });
  expect(statistics.timeline(query?.id ?? "")?.steps.length).toBeGreaterThan(3);
});

test("on a page arrows scroll, and escape goes back step by step", () => {
  const page = after("1", "enter", "down", "down");
  expect(page.open?.scrolled).toBe(2);
  const [panel, all] = [after("1", "enter", "escape"), after("1", "enter", "escape", "escape")];
  expect([panel.open, panel.panel, all.panel]).toEqual([null, "traffic", null]);
});

test("a filter takes every key until it is ended, and the rows follow it", () => {
  const typing = after("1", "/", "0", "7", "q", "backspace");
  expect(typing).toMatchObject({ typing: true, filter: "07" });
  const filtered = after("1", "/", "0", "7", "enter", "down");
  expect(filtered).toMatchObject({ typing: false, selected: "site-07.example" });
  expect(after("1", "/", "0", "7", "escape").filter).toBe("");
});

test("other keys are left to the view", () => {
  for (const key of [" ", "+", "-", "q", "left", "x"]) expect(choose(noChoice, key, snapshot)).toBeNull();
});
