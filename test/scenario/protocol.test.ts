import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadScenario } from "../../src/scenario/load.ts";
import { codeOf, page, tableRows } from "../docs/pages.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function loadWith(lines: string) {
  const file = join(folder, "scenario.yaml");
  const rest = "name: p\ncorpus: c\nuntil: 1h\npopulation: { arrivals: { process: poisson, rate: 1/h } }\n";
  writeFileSync(file, `${rest}assistants: [{ strategy: multi-agent }]\n${lines}`);
  return loadScenario(file);
}

const reference = tableRows(page("docs/reference/protocols.md").text);

describe("A protocol", () => {
  test.each(["awesim", "agentwebbench-paper", "agentwebbench-released"])(
    "%s expands to the switches that the reference names, and to no other",
    (protocol) => {
      const { agents } = loadWith(`protocol: ${protocol}`).document;
      const column = ["awesim", "agentwebbench-paper", "agentwebbench-released"].indexOf(protocol) + 1;
      const named = Object.fromEntries(
        reference.map((row) => [
          (codeOf(row[0] as string)[0] as string).replace("agents.", ""),
          parse(codeOf(row[column] as string)[0] as string) as unknown,
        ]),
      );
      expect(agents).toEqual({ ...loadWith("").document.agents, ...named });
    },
  );

  test("gives way to what the scenario says itself", () => {
    const { agents } = loadWith("protocol: agentwebbench-released\nagents: { thoughts: dropped, turns: 4 }").document;
    expect(agents).toMatchObject({ thoughts: "dropped", turns: 4, "final-answer": "none", "format-retries": 4 });
  });

  test("stands expanded in the resolved scenario, which loads to the same", () => {
    const loaded = loadWith("protocol: agentwebbench-paper");
    const file = join(folder, "resolved.yaml");
    writeFileSync(file, loaded.resolved);
    expect(parse(loaded.resolved)).toMatchObject({ protocol: "agentwebbench-paper", agents: { thoughts: "fed-back" } });
    expect(loadScenario(file)).toMatchObject({ scenario: loaded.scenario, sha256: loaded.sha256 });
  });

  test.each([
    ["protocol: paper", /protocol/],
    ["agents: { format-retries: 6 }", /an integer from 0 to 5, got 6/],
    ["agents: { document-text: snippet:0 }", /full, summary-only or snippet:<characters>/],
    ["protocol: agentwebbench-paper\nagents: 3", /agents/],
    ["site-list: { order: random }", /one of fixed, size, shuffled-per-query/],
  ])("%j is told to be wrong", (lines, message) => {
    expect(() => loadWith(lines)).toThrow(message);
  });
});
