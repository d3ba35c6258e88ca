import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { describe, expect, test } from "vitest";
import { importAgentWebBench } from "../../../src/corpora/importers/agentwebbench.ts";
import { importClueweb22 } from "../../../src/corpora/importers/clueweb22.ts";
import { importCrag } from "../../../src/corpora/importers/crag.ts";
import { importMsweb } from "../../../src/corpora/importers/msweb.ts";
import { importKeyPoints } from "../../../src/corpora/importers/researchy-keypoints.ts";
import { readCorpus, sourceFolder } from "../../support/source-folder.ts";

const here = sourceFolder();
const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

test("CRAG: answers in a string, missing answers, pages again, pages without HTML or address", async () => {
  const page = (url: string, html: string, more = {}) => ({ page_name: "", page_url: url, page_result: html, ...more });
  const one = page("https://a.example/1", "<title>One</title><nav>menu</nav><p>text one");
  here.write({
    "crag.jsonl": lines(
      {
        interaction_id: "q1",
        query: "what?",
        answer: " this ",
        alternative_answers: '["that", "this"]',
        search_results: [one, one, page("https://b.example/", "", { page_name: "B", page_snippet: "<b>short</b>" })],
      },
      {
        interaction_id: "q2",
        query: "when?",
        answer: "nan",
        alternative_answers: "[]",
        search_results: [page("nowhere", "x")],
      },
      { interaction_id: "", query: "?" },
      { interaction_id: "q4", query: "who?", answer: 42, alternative_answers: "not a list" },
    ),
  });
  const report = await importCrag(here.source, { out: here.out });
  expect(report).toMatchObject({
    sites: 2,
    documents: 2,
    topics: { "question-answering": 2 },
    counts: {
      "pages found again": 1,
      "pages without text, whose snippet was taken": 1,
      "questions without an answer": 1,
    },
    firstBadRecords: [
      { record: "crag.jsonl:2", reason: "search result 1: no web address" },
      { record: "crag.jsonl:3", reason: "has no interaction_id, or no query" },
      { record: "crag.jsonl:4", reason: "has no list search_results" },
    ],
  });
  const { documents, topics } = await readCorpus(here.out);
  expect(documents).toEqual([
    { id: "q1/1", site: "a.example", url: "https://a.example/1", title: "One", text: "text one" },
    { id: "q1/3", site: "b.example", url: "https://b.example/", title: "B", text: "short" },
  ]);
  expect(topics["question-answering"]).toEqual([
    { id: "q1", question: "what?", answers: ["this", "that"], evidence: [] },
    { id: "q4", question: "who?", answers: ["42"], evidence: [] },
  ]);
});

test("msweb: areas of both parts, users of the test part, visits again and to no area", async () => {
  const head = 'I,4,"www.microsoft.com","x"\nT,1,"VRoot",0,0,"VRoot"\nN,0,"0"\n';
  here.write({
    "a-msweb.data": `${head}A,1,1,"Say ""hi"", all","/hi"\nA,2,1,"Two","/two"\nC,"9",9\nV,1,1\nV,2,1\n`,
    "a-msweb.test": `${head}A,1,1,"Say ""hi"", all","/hi"\nA,3,1,"Three","/three"\nA,x\nC,"7",7\nV,3,1\nV,1,1\nV,3,1\nV,4,1\nC,"8",8\nV,1,1\nwhat\n`,
  });
  const report = await importMsweb(here.source, { out: here.out });
  expect(report).toMatchObject({
    documents: 3,
    topics: { "web-recommendation": 1 },
    counts: { "test users with fewer than two areas": 1 },
    firstBadRecords: [
      { record: "a-msweb.test:6", reason: "not an area with its number, title and path" },
      { record: "a-msweb.test:11", reason: "a visit of no user, or to no area" },
      { record: "a-msweb.test:14", reason: "neither an area, nor a user, nor a visit" },
    ],
  });
  expect((await readCorpus(here.out)).topics["web-recommendation"]).toEqual([
    { id: "7", history: [{ doc: "3", title: "Three", url: "http://www.microsoft.com/three" }], relevant: { "1": 1 } },
  ]);
});

const keyPointFiles = {
  "10_aggregated.json": JSON.stringify({
    question: "why?",
    key_points: [{ point_number: 1, point_content: " because " }, { point_content: "" }],
  }),
  "10.json": JSON.stringify({
    question: "why?",
    key_points: { "clueweb22-en0000-00-00001": [{ spans: ["quote a", "quote b"] }, { spans: ["quote a"] }] },
  }),
  "9_aggregated.json": JSON.stringify({ question: "how?", key_points: [{ point_content: "so" }] }),
  "11_aggregated.json": JSON.stringify({ question: "empty?", key_points: [] }),
  "bad.json": "[]",
};

test("key points: loose and in archives, with quotes as pages", async () => {
  const archive = pack();
  const { "9_aggregated.json": packed, ...loose } = keyPointFiles;
  archive.entry({ name: "9_aggregated.json" }, packed);
  archive.finalize();
  here.write({ ...loose, "key_point.tar.gz": gzipSync(await buffer(archive)), "queries.jsonl": "{}\n" });
  const report = await importKeyPoints(here.source, { out: here.out });
  expect(report).toMatchObject({
    documents: 1,
    topics: { "deep-research": 2 },
    counts: { "questions without key points": 1 },
    firstBadRecords: [{ record: "bad.json", reason: "no JSON object with a question and key_points" }],
  });
  const { documents, topics } = await readCorpus(here.out);
  expect(documents[0]).toMatchObject({ id: "clueweb22-en0000-00-00001", text: "quote a\nquote b" });
  expect(topics["deep-research"]).toEqual([
    { id: "9", question: "how?", keyPoints: ["so"], evidence: [] },
    { id: "10", question: "why?", keyPoints: ["because"], evidence: ["clueweb22-en0000-00-00001"] },
  ]);
});

/** A file of text records as ClueWeb22 packs them, with its offsets. */
function clueweb(pages: readonly (object | Buffer)[], last = true) {
  const members = pages.map((page) => (Buffer.isBuffer(page) ? page : gzipSync(JSON.stringify(page))));
  let at = 0;
  const offsets = members.map(({ length }) => (at += length) - length);
  const numbers = last ? [...offsets, at] : offsets;
  return {
    "txt/en/en00/en0000/en0000-00.json.gz": Buffer.concat(members),
    "txt/en/en00/en0000/en0000-00.offset": numbers.map((each) => `${String(each).padStart(10, "0")}\n`).join(""),
  };
}
const page = (n: number, url: string, text: string) => ({
  URL: `${url}\n`,
  "URL-hash": "x",
  Language: "en",
  "ClueWeb22-ID": `clueweb22-en0000-00-0000${n}`,
  "Clean-Text": text,
});

describe("ClueWeb22", () => {
  test.each([true, false])("a damaged member costs one page (end of the last one in the offsets: %s)", async (last) => {
    const pages = [
      page(0, "https://en.wikipedia.org/wiki/A", "Title A\n\nText a\nmore"),
      Buffer.from("no gzip at all"),
      gzipSync("not JSON"),
      page(3, "http://b.example/", "Only a title"),
    ];
    here.write(clueweb(pages, last));
    const report = await importClueweb22(here.source, { out: here.out });
    expect(report).toMatchObject({ sites: 2, documents: 2, documentsWithoutText: 1, badRecords: 2 });
    expect(report.firstBadRecords.map(({ record }) => record)).toEqual([
      "en0000-00.json.gz record 2",
      "en0000-00.json.gz record 3",
    ]);
    expect((await readCorpus(here.out)).documents[0]).toEqual({
      id: "clueweb22-en0000-00-00000",
      site: "en.wikipedia.org",
      url: "https://en.wikipedia.org/wiki/A",
      title: "Title A",
      text: "Text a\nmore",
    });
  });

  test("offsets that go back, or beyond the file, or are missing", async () => {
    const good = clueweb([page(0, "http://a.example/", "a")]);
    const [json, offset] = Object.keys(good) as [string, string];
    const files = (text: string) => here.write({ ...good, [offset]: text });
    files("0000000009\n0000000000\n");
    await expect(importClueweb22(here.source, { out: here.out })).rejects.toThrow(
      /en0000-00\.offset:2: expected ten digits/,
    );
    files("0000000000\n0000999999\n");
    await expect(importClueweb22(here.source, { out: here.out })).rejects.toThrow(/en0000-00\.offset:2: .*not beyond/);
    expect(() => importClueweb22(here.path("none"), { out: here.out })).toThrow(/no such/);
    here.write({ "alone/x.json.gz": good[json as keyof typeof good] });
    expect(() => importClueweb22(here.path("alone"), { out: here.out })).toThrow(/has no \.offset file/);
    expect(here.made()).toEqual([]);
  });
});

describe("AgentWebBench", () => {
  const id = (n: number) => `clueweb22-en0000-00-0000${n}`;
  const tasks = {
    "data/web_search/test_2.json": JSON.stringify([
      { id: 0, question: "page a", source: ["a.example"], doc_ids: [id(0)] },
      { id: 1, question: "page far away", source: ["b.example"], doc_ids: [id(9)] },
    ]),
    "data/web_search/test_1.json": JSON.stringify([{ id: 0, question: "smoke", doc_ids: [] }]),
    "data/web_recommendation/test_1.json": JSON.stringify([
      {
        id: 5,
        history_doc_ids: [id(1), id(2), id(8)],
        history_timestamps: ["29083488.0", "29083489.5", "late"],
        source: ["a.example"],
        doc_ids: [id(0)],
      },
      { id: 6, history_doc_ids: [id(1)], history_timestamps: [], source: ["a.example"], doc_ids: [id(0)] },
    ]),
    "data/web_recommendation/test_1.user_history.jsonl": lines({
      id: 5,
      user_history: [{ doc_id: id(1), timestamp: "29083488.0", title: "From the history" }],
    }),
    "data/qa/test_1.json": JSON.stringify([{ question: "short?", answer: "yes", root_url: "x", info: {} }, 7]),
    "data/deep_research/test_2.json": JSON.stringify([
      { id: "10", question: "why?" },
      { id: "77", question: "no points?" },
    ]),
  };
  const corpus = () => `${here.out}-pages`;

  test("the four tasks over an imported ClueWeb22, with key points", async () => {
    here.write({
      ...tasks,
      ...Object.fromEntries(Object.entries(keyPointFiles).map(([name, text]) => [`points/${name}`, text])),
      ...clueweb([page(0, "https://a.example/0", "A\ntext"), page(2, "https://b.example/2", "B\ntext")]),
    });
    await importClueweb22(here.path("txt"), { out: corpus() });
    const options = { out: here.out, documents: corpus(), keyPoints: here.path("points") };
    const report = await importAgentWebBench(here.path("data"), options);
    expect(report).toMatchObject({
      sites: 2,
      documents: 2,
      topics: { "web-search": 2, "web-recommendation": 1, "question-answering": 1, "deep-research": 2 },
      uncoveredTopics: 1,
      counts: { "research questions without key points": 1 },
    });
    expect(report.firstBadRecords).toEqual([
      { record: "test_1.json record 2", reason: "history_doc_ids and history_timestamps differ in length" },
      { record: "test_1.json record 2", reason: "no object" },
      { record: "bad.json", reason: "no JSON object with a question and key_points" },
    ]);
    const { sites, topics } = await readCorpus(here.out);
    expect(sites.map(({ id }) => id)).toEqual(["a.example", "b.example"]);
    expect(topics["web-search"]?.map((topic) => topic.id)).toEqual(["0", "1"]);
    expect(topics["web-recommendation"]).toEqual([
      {
        id: "5",
        history: [
          { doc: id(1), title: "From the history", atMs: 29083488 * 60_000 },
          { doc: id(2), title: "B", atMs: 29083489.5 * 60_000 },
          { doc: id(8), title: "" },
        ],
        relevant: { [id(0)]: 1 },
      },
    ]);
    expect(topics["question-answering"]).toEqual([{ id: "0", question: "short?", answers: ["yes"], evidence: [] }]);
    expect(topics["deep-research"]?.[0]).toEqual({ id: "10", question: "why?", keyPoints: ["because"], evidence: [] });
  });

  test("the pages that recorded agents were shown, each on the site that is known", async () => {
    const shown = (value: unknown) => `<information>\n${JSON.stringify(value, null, 4)}\n</information>`;
    const doc = (n: number) => ({ doc_id: id(n), doc_text: `Page ${n}\ntext ${n}` });
    here.write({
      ...tasks,
      "logs/run/user_agent_trajectory_0.jsonl": lines(
        { input: "", response: "", next_obs: shown([doc(0), doc(1)]), context_length: 1 },
        {
          next_obs: shown([
            { website: "b.example", summary: "s", documents: [doc(1), doc(2)] },
            { website: "c.example", summary: "No" },
          ]),
        },
        { next_obs: shown([{ website: "global", documents: [doc(3)] }]) },
        { next_obs: "<information>\nInvalid JSON: {\n</information>" },
        { next_obs: null },
      ),
    });
    const report = await importAgentWebBench(here.path("data"), { out: here.out, trajectories: here.path("logs") });
    expect(report).toMatchObject({ documents: 4, counts: { "pages of recorded runs without a site": 1 } });
    const { documents } = await readCorpus(here.out);
    expect(documents.map(({ id, site, title, text }) => [id, site, title, text])).toEqual([
      [id(0), "a.example", "Page 0", "text 0"],
      [id(1), "b.example", "Page 1", "text 1"],
      [id(2), "b.example", "Page 2", "text 2"],
      [id(3), "agentwebbench.example", "Page 3", "text 3"],
    ]);
  });

  test("needs pages, and lists of records", async () => {
    here.write({ ...tasks, "data/qa/test_1.json": "{}" });
    await expect(importAgentWebBench(here.path("data"), { out: here.out })).rejects.toThrow(/--documents/);
    here.write({
      "logs/user_agent_trajectory_0.jsonl": lines({
        next_obs: `<information>[{"doc_id": "x", "doc_text": "t"}]</information>`,
      }),
    });
    const options = { out: here.out, trajectories: here.path("logs") };
    await expect(importAgentWebBench(here.path("data"), options)).rejects.toThrow(/test_1\.json: expected a list/);
    await expect(importAgentWebBench(join(here.source, "none"), options)).rejects.toThrow(/no such directory/);
    expect(here.made()).toEqual([]);
  });
});
