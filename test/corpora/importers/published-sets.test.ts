import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importBeir } from "../../../src/corpora/importers/beir.ts";
import { importCrag } from "../../../src/corpora/importers/crag.ts";
import { importCranfield } from "../../../src/corpora/importers/cranfield.ts";
import { importMsweb } from "../../../src/corpora/importers/msweb.ts";
import { importKeyPoints } from "../../../src/corpora/importers/researchy-keypoints.ts";
import { importTable } from "../../../src/corpora/importers/table.ts";
import { importTrec } from "../../../src/corpora/importers/trec.ts";
import type { WebRecommendationTopic, WebSearchTopic } from "../../../src/corpora/format.ts";
import { packageRoot } from "../../../src/package-root.ts";
import { readCorpus, sourceFolder } from "../../support/source-folder.ts";

const data = join(packageRoot, "../shared/data");
const here = sourceFolder();
const auto = { sites: "auto" as const };

describe.skipIf(!existsSync(data))("the published files (skipped where ../shared/data is absent)", () => {
  test("Cranfield: 1,400 documents of ten publishers, 225 queries with graded judgements", async () => {
    const report = await importCranfield(join(data, "cranfield"), { ...auto, out: here.out });
    expect(report).toEqual({
      sites: 10,
      documents: 1400,
      documentsWithoutText: 2,
      topics: { "web-search": 225 },
      uncoveredTopics: 0,
      judgements: 1837,
      counts: { "judgements of code -1, taken as worthless": 225 },
      badRecords: 0,
      firstBadRecords: [],
    });
    const { documents, sites, topics } = await readCorpus(here.out);
    const search = topics["web-search"] as WebSearchTopic[];
    const grades = search.flatMap(({ relevant }) => Object.values(relevant));
    expect([3, 2, 1].map((grade) => grades.filter((each) => each === grade).length)).toEqual([128, 387, 734 + 363]);
    expect(search.flatMap(({ judged }) => judged ?? [])).toHaveLength(225);
    // The third query has the id 004 in the file of queries; the judgements call it 3.
    expect(search[2]).toMatchObject({ id: "3", query: expect.stringContaining("heat conduction in composite slabs") });
    expect(search[2]?.relevant).toMatchObject({ "5": 1, "399": 1 });
    expect(documents[0]).toMatchObject({
      id: "1",
      site: "aerospace-sciences.cranfield.example",
      title: "experimental investigation of the aerodynamics of a wing in a slipstream .",
      text: expect.stringMatching(/^an experimental study of a wing/),
    });
    expect(documents.filter(({ text }) => text === "").map(({ id }) => id)).toEqual(["471", "995"]);
    expect(documents.find(({ id }) => id === "240")?.site).toBe("naca.cranfield.example");
    const other = documents.filter(({ site }) => site.startsWith("other."));
    expect(other.length).toBeLessThan(1400 / 4);
    expect(sites.map(({ id }) => documents.filter(({ site }) => site === id).length)).toEqual(
      sites.map(({ description }) => Number(/^\d+/.exec(description)?.[0])),
    );
  });

  test("Anonymous Microsoft Web Data: 294 areas, the last of 3,453 test users' areas held out", async () => {
    const report = await importMsweb(join(data, "msweb"), { ...auto, out: here.out });
    expect(report).toMatchObject({
      sites: 1,
      documents: 294,
      topics: { "web-recommendation": 3453 },
      uncoveredTopics: 0,
      judgements: 3453,
      counts: { "test users with fewer than two areas": 5000 - 3453 },
      badRecords: 0,
    });
    const { documents, topics } = await readCorpus(here.out);
    const histories = topics["web-recommendation"] as WebRecommendationTopic[];
    expect(histories.reduce((sum, { history }) => sum + history.length + 1, 0)).toBe(15191 - (5000 - 3453));
    const netShow = documents.find(({ id }) => id === "1277");
    expect(netShow).toMatchObject({
      site: "www.microsoft.com",
      url: "http://www.microsoft.com/stream",
      title: "NetShow for PowerPoint",
    });
  });

  test("key points: 975 of 999 questions have some; 98 name their pages", async () => {
    const report = await importKeyPoints(join(data, "researchy-keypoints"), { sites: 10, out: here.out });
    expect(report).toMatchObject({
      sites: 10,
      documents: 582,
      topics: { "deep-research": 975 },
      uncoveredTopics: 0,
      counts: { "questions without key points": 24 },
      badRecords: 0,
    });
    const { topics } = await readCorpus(here.out);
    const research = topics["deep-research"] as { id: string; keyPoints: string[]; evidence: string[] }[];
    expect(research.reduce((sum, { keyPoints }) => sum + keyPoints.length, 0)).toBe(16_140);
    expect(research.filter(({ evidence }) => evidence.length > 0)).toHaveLength(98);
  });

  test("CRAG's examples: 38 different pages of 31 hosts as text, 9 questions with an answer", async () => {
    const sitePriors = join(data, "site-priors/host-cc-main-2026-apr-may-jun.json");
    const report = await importCrag(join(data, "crag-sample"), { ...auto, out: here.out, sitePriors });
    expect(report).toMatchObject({
      sites: 31,
      documents: 38,
      documentsWithoutText: 0,
      topics: { "question-answering": 9 },
      counts: {
        "pages found again": 12,
        "pages without text, whose snippet was taken": 2,
        "questions without an answer": 1,
      },
      badRecords: 0,
    });
    const { documents, sites } = await readCorpus(here.out);
    const wikipedia = documents.find(({ url }) => url.endsWith("/Microsoft_Office_2019"));
    expect(wikipedia?.title).toBe("Microsoft Office 2019 - Wikipedia");
    expect(wikipedia?.text).toMatch(/^Microsoft Office 2019 .*is a version of Microsoft Office/m);
    for (const { text } of documents) expect(text).not.toMatch(/<\/(div|p|script|span)>|function\s*\(\)\s*\{/);
    const popularity = new Map(sites.map(({ id, priors }) => [id, priors.popularity]));
    expect([...popularity.values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
    expect(popularity.get("en.wikipedia.org")).toBeGreaterThan(popularity.get("www.investopedia.com") as number);
  }, 60_000);

  test("samples of TREC's forms", async () => {
    here.write({ topics: "1\tquestion\n", qrels: "1 0 AP-0001 1\n" });
    const [topics, qrels] = [here.path("topics"), here.path("qrels")];
    const options = { ...auto, name: "trec", topics, qrels, field: "title", keepTags: false } as const;
    const newswire = await importTrec(join(data, "format-samples/trec/collection1"), {
      ...options,
      out: `${here.out}1`,
    });
    expect(newswire).toMatchObject({ documents: 2, badRecords: 0, topics: { "web-search": 1 } });
    const { documents } = await readCorpus(`${here.out}1`);
    expect(documents).toEqual([
      {
        id: "AP-0001",
        site: "ap.trec.example",
        url: "",
        title: "This is headline and should be included",
        text: "Hopefully we get this right",
      },
      { id: "doc2", site: "doc.trec.example", url: "", title: "", text: "here is some text." },
    ]);
    const web = await importTrec(join(data, "format-samples/trecweb/collection1"), { ...options, out: `${here.out}2` });
    expect(web).toMatchObject({
      documents: 2,
      badRecords: 1,
      firstBadRecords: [{ record: "segment1.txt:10", reason: "a document without a DOCNO" }],
    });
    const clean = { ...options, keepTags: true, out: `${here.out}3` };
    await importTrec(join(data, "format-samples/clean_trec/collection1"), clean);
    expect((await readCorpus(`${here.out}3`)).documents[0]?.text).toBe(
      "here is a bit of text, and the <p>tags should not be removed.</p>",
    );
  });

  test("samples of BEIR and MS MARCO", async () => {
    copyFileSync(join(data, "format-samples/beir-nfcorpus/corpus.jsonl"), here.path("corpus.jsonl"));
    here.write({
      "queries.jsonl": '{"_id": "q", "text": "statins and cancer"}\n',
      "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\tMED-10\t2\n",
    });
    const beir = await importBeir(here.source, { ...auto, split: "test", out: `${here.out}1` });
    expect(beir).toMatchObject({ sites: 1, topics: { "web-search": 1 }, uncoveredTopics: 0, badRecords: 0 });
    const options = { ...auto, name: "msmarco", html: false, map: ["text=contents"] };
    const passages = await importTable(join(data, "format-samples/msmarco-v1-passage"), "jsonl", {
      ...options,
      out: `${here.out}2`,
    });
    expect(passages).toMatchObject({ documents: 4, documentsWithoutText: 0, badRecords: 0 });
    const pages = await importTable(join(data, "format-samples/msmarco_v2_doc"), "jsonl", {
      ...options,
      map: ["id=docid", "text=body"],
      out: `${here.out}3`,
    });
    expect(pages.badRecords).toBe(0);
    expect((await readCorpus(`${here.out}3`)).sites[0]?.id).toBe("0-60.reviews");
  });
});
