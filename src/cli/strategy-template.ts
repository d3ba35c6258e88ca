/** The files of a new strategy by name: the strategy, its test, and a scenario that runs it. */
export function strategyFiles(name: string): Readonly<Record<string, string>> {
  return {
    [`${name}.ts`]: strategy.replaceAll("{{name}}", name),
    [`${name}.test.ts`]: test.replaceAll("{{name}}", name),
    [`${name}.yaml`]: scenario.replaceAll("{{name}}", name),
  };
}

const strategy = `import type { ModelStrategy } from "awesim";

/** Each search goes to the sites that the index selects for its text, and to one more by lot. */
const strategy: ModelStrategy = {
  name: "{{name}}",
  usesModel: true,
  // Its searches reach sites, each a contact; the index over all sites would be "central-index".
  reaches: "sites",
  // The prompt tells the model of a search engine; "sites" lists the sites, for the model to name.
  menu: "central",
  // It asks the index which sites to search.
  selectsSites: true,

  readSearch(payload, { sites, settings, index, draw }) {
    // Null: this is no search. The turn is invalid then, and the model is told so.
    if (payload === "") return null;

    const chosenSites = async (): Promise<string[]> => {
      const ranked = await index.selectSites(payload, "vectors", settings.sitesPerSelection);
      // The index also knows sites that were removed in the meantime: only listed ones can be asked.
      const chosen = ranked.filter((site) => sites.some(({ id }) => id === site));
      const others = sites.map(({ id }) => id).filter((id) => !chosen.includes(id));
      // Never Math.random: draw() gives each site a lot that a replay gives it again.
      const [explored] = others.sort((a, b) => draw(a) - draw(b) || (a < b ? -1 : 1));
      return explored === undefined ? chosen : [...chosen, explored];
    };

    // "site-search" uses the sites' search engines; "content-agents" would talk to their agents.
    return { through: "site-search", query: payload, sites: chosenSites };
  },
};

export default strategy;
`;

const test = `import { join } from "node:path";
import { execute, type Fact, gatherInputs, livePorts, loadScenario, openModels, RunControl } from "awesim";
import { expect, test } from "vitest";

test("{{name}} answers, and every search goes to the selected sites and one more", async () => {
  const loaded = loadScenario(join(import.meta.dirname, "{{name}}.yaml"));
  const { inputs, retrieval } = await gatherInputs({
    loaded,
    promptsDirectory: null,
    cacheDirectory: process.env["AWESIM_CACHE"] ?? ".awesim",
    replication: 0,
    progress: () => {},
  });
  const models = await openModels(loaded);
  const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
  const ports = livePorts({ inputs, retrieval, models, tape: null, calls, now: () => 0 });

  const contacts = new Map<string, number>();
  const answers: string[] = [];
  const listen = (fact: Fact): void => {
    if (fact.type === "site.contacted") {
      const search = \`\${fact.query} at \${fact.t} ms\`;
      contacts.set(search, (contacts.get(search) ?? 0) + 1);
    }
    if (fact.type === "query.completed") answers.push(fact.outcome);
  };
  const control = new RunControl();
  const observers = [{ listen }];
  const end = await execute({ inputs, ports, directory: null, level: "full", control, observers, onTurn: () => {} });
  retrieval.close();

  expect(end.error).toBeNull();
  expect(end.status).toBe("completed");
  expect(answers.length).toBeGreaterThan(0);
  expect(answers).not.toContain("failed");
  expect(new Set(contacts.values())).toEqual(new Set([loaded.scenario.toolE.k + 1]));
}, 300_000);
`;

const scenario = `# Runs the strategy of {{name}}.ts. More assistants run others on the same topics, tool-e for one.
name: {{name}}
corpus: atlas
plugins: [./{{name}}.ts]
population:
  arrivals: { process: every-topic, rate: 600/h, topics: 20 }
tool-e: { k: 4 }
assistants:
  - { strategy: {{name}}, model: surrogate/qwen3-4b }
`;
