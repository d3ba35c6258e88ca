import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command } from "../support/cli.ts";
import { sourceFolder } from "../support/source-folder.ts";

const here = sourceFolder();
const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A set of each task in its original format, made up. */
const sets = {
  "web-search": {
    format: "beir",
    files: {
      "corpus.jsonl": lines(
        { _id: "d1", title: "Apple trees", text: "Prune apple trees in late winter." },
        { _id: "d2", title: "Bees", text: "Feed bees in autumn." },
        { _id: "d3", title: "Pears", text: "Pears ripen off the tree." },
      ),
      "queries.jsonl": lines({ _id: "q1", text: "when to prune apple trees" }, { _id: "q2", text: "feeding bees" }),
      "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n",
    },
  },
  "web-recommendation": {
    format: "msweb",
    files: {
      "x-msweb.data": 'A,1,1,"Word","/word"\nA,2,1,"Word news","/wordnews"\nA,3,1,"Excel","/excel"\n',
      "x-msweb.test": 'C,"7",7\nV,1,1\nV,2,1\nC,"8",8\nV,3,1\nV,1,1\n',
    },
  },
  "question-answering": {
    format: "crag",
    files: {
      "x.jsonl": lines(
        ...["red", "blue"].map((colour) => ({
          interaction_id: colour,
          query: `which colour is the ${colour} door?`,
          answer: colour,
          alternative_answers: "[]",
          search_results: [
            {
              page_name: "Doors",
              page_url: `https://${colour}.example/`,
              page_result: `<p>The ${colour} door is ${colour}.`,
            },
          ],
        })),
      ),
    },
  },
  "deep-research": {
    format: "researchy-keypoints",
    files: Object.fromEntries(
      ["1", "2"].flatMap((id) => [
        [
          `${id}_aggregated.json`,
          JSON.stringify({ question: `why ${id}?`, key_points: [{ point_content: `because ${id}` }] }),
        ],
        [
          `${id}.json`,
          JSON.stringify({
            question: `why ${id}?`,
            key_points: { [`page-${id}`]: [{ spans: [`it is because ${id}`] }] },
          }),
        ],
      ]),
    ),
  },
};

test.each(Object.entries(sets))("an imported set of %s runs with both kinds of strategies", async (task, set) => {
  here.write(set.files);
  const sites = task === "question-answering" ? "auto" : "2";
  const made = await command("corpus", "import", set.format, here.source, "--sites", sites, "--out", here.out);
  expect(made.code, made.stderr).toBe(0);
  const scenario = join(here.source, "scenario.yaml");
  here.write({
    "scenario.yaml": `name: x
corpus: ${here.out}
retrieval: { index: bm25, embedder: hashing }
population:
  users: 2
  arrivals: { process: every-topic, rate: 60/h, topics: 2 }
  tasks: { ${task}: 1 }
assistants:
  - { strategy: classic-ir }
  - { strategy: multi-agent, model: surrogate/gemini-3-flash }
`,
  });
  process.env["AWESIM_CACHE"] = here.path("cache");
  const out = here.path("run");
  const run = await command("run", scenario, "--no-view", "--out", out);
  expect(run.code, run.stderr).toBe(0);
  const { queries } = JSON.parse(readFileSync(join(out, "metrics.json"), "utf8")) as { queries: object };
  expect(queries).toMatchObject({ arrived: 4, answered: 4, failed: 0 });
});
