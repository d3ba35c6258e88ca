import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { importBeir } from "../../../src/corpora/importers/beir.ts";
import { importCranfield } from "../../../src/corpora/importers/cranfield.ts";
import { importTable } from "../../../src/corpora/importers/table.ts";
import { importTrec } from "../../../src/corpora/importers/trec.ts";
import { readCorpus, sourceFolder } from "../../support/source-folder.ts";

const here = sourceFolder();

test("SMART: queries count by their place, codes are turned round, repeated fields go on", async () => {
  here.write({
    "cran.all.1400":
      "stray\n.I 1\n.T\nheat of\nplates .\n.A\nsmith\n.B\nnaca tn.12, 1950.\n.W\nheat of\nplates .\n a plate\nof .5 inch\n.W\ngoes on\n" +
      ".I 2\n.T\nshells\n.A\n.B\nj. ae. scs. 3\n.W\nshells bend\n.I 2\n.T\nagain\n.W\nagain\n.I 3\n.T\n.A\n.B\n.W\n\n",
    "cran.qry": ".I 007\r\n.W\r\nhow hot are\r\nplates .\r\n.I 009\r\n.W\r\nhow do shells bend .\r\n",
    cranqrel: "1 1 1 \n1 2 4 \n1 3 -1\n2 2 2\n2 1 3\n2 9\n2 1 7\n3 1 1\n",
    "cranqrel.readme": "not judgements",
  });
  const report = await importCranfield(here.source, { out: here.out });
  expect(report).toEqual({
    sites: 3,
    documents: 3,
    documentsWithoutText: 1,
    topics: { "web-search": 2 },
    uncoveredTopics: 0,
    judgements: 5,
    counts: { "judgements of code -1, taken as worthless": 1, "judgements of unknown queries": 1 },
    badRecords: 4,
    firstBadRecords: [
      { record: "cran.all.1400:1", reason: "text outside of a record's fields" },
      { record: "cran.all.1400:25", reason: "a second document 2" },
      { record: "cranqrel:6", reason: "not a query, a document and a code of 1 to 4 or -1" },
      { record: "cranqrel:7", reason: "not a query, a document and a code of 1 to 4 or -1" },
    ],
  });
  const { documents, topics } = await readCorpus(here.out);
  expect(documents.map(({ id, site, title, text }) => [id, site, title, text])).toEqual([
    ["1", "naca.cranfield.example", "heat of plates .", "a plate of .5 inch goes on"],
    ["2", "aerospace-sciences.cranfield.example", "shells", "bend"],
    ["3", "other.cranfield.example", "", ""],
  ]);
  expect(topics["web-search"]).toEqual([
    { id: "1", query: "how hot are plates .", relevant: { "1": 3, "2": 1 }, judged: ["3"] },
    { id: "2", query: "how do shells bend .", relevant: { "1": 1, "2": 2 } },
  ]);
});

test("BEIR: packed files, scores of 0 and above 3, queries of other splits, unknown documents", async () => {
  const corpus = [
    { _id: "d1", title: "One", text: "first", metadata: { url: "https://www.a_b.example:8080/x" } },
    { _id: "d2", title: "Two", text: "second", metadata: {} },
    { _id: "d 3", title: "", text: "a blank in its id" },
  ];
  const lines = [...corpus.map((each) => JSON.stringify(each)), "[1]", '{"_id": "d4"', '{"_id": 5, "text": "number"}'];
  here.write({
    "corpus.jsonl.gz": gzipSync(lines.join("\n")),
    "queries.jsonl":
      '{"_id": "q1", "text": "first?"}\n{"_id": "q2", "text": "other split"}\n{"_id": "q3", "text": "gone?"}\n{"_id": "q4", "text": "nothing"}\n',
    "qrels/dev.tsv":
      "query-id\tcorpus-id\tscore\nq1\td1\t5\nq1\td2\t0\nq1\td1\t1\nq3\td9\t1\nq4\td2\t0\nq9\td1\t1\nq1\td2\nq1\td2\thigh\n",
  });
  const report = await importBeir(here.source, { out: here.out, split: "dev" });
  expect(report).toMatchObject({
    sites: 2,
    documents: 3,
    topics: { "web-search": 2 },
    uncoveredTopics: 1,
    judgements: 3,
    counts: {
      "grades above 3, taken as 3": 1,
      "repeated judgements, the better one taken": 1,
      "queries without judgements": 1,
      "queries without a relevant document": 1,
      "judgements of unknown queries": 1,
    },
    badRecords: 5,
  });
  expect(report.firstBadRecords.map(({ record }) => record)).toEqual([
    "corpus.jsonl.gz:3",
    "corpus.jsonl.gz:4",
    "corpus.jsonl.gz:5",
    "dev.tsv:8",
    "dev.tsv:9",
  ]);
  const { documents, topics } = await readCorpus(here.out);
  expect(documents.map(({ id, site }) => [id, site])).toEqual([
    ["d1", "www.a-b.example"],
    ["d2", "source.example"],
    ["5", "source.example"],
  ]);
  expect(topics["web-search"]?.[0]).toEqual({ id: "q1", query: "first?", relevant: { d1: 3 }, judged: ["d2"] });
});

describe("TREC", () => {
  const documents = {
    "docs/ap": Buffer.concat([
      Buffer.from("between\n<DOC>\n<DOCNO> AP1-0001 </DOCNO>\n<HEAD>Caf"),
      Buffer.from([0xe9]), // Windows-1252
      Buffer.from(
        " &amp; bar</HEAD>\n<LP>Lead.</LP>\n<TEXT>\nOne <F P=1>two</F>\n</TEXT>\n</DOC>\n<DOC>\n<TEXT>\nnameless\n",
      ),
      Buffer.from(
        "</TEXT>\n</DOC>\n<DOC>\n<DOCNO>AP1-0003</DOCNO>\n<DOC>\n<DOCNO>FT9-1</DOCNO>\n<TEXT>\nx\n</TEXT>\n</DOC>\n<DOC>\n",
      ),
    ]),
    "docs/web.gz": gzipSync(
      "<DOC>\n<DOCNO>W-1</DOCNO>\n<DOCHDR>\nhttp://Site.example/page 1.2.3.4\nContent-type: text/html\n</DOCHDR>\n" +
        "<html><title>Web</title><script>x</script><p>page</html>\n</DOC>\n",
    ),
    qrels: "301 0 AP1-0001 2\n301 0 W-1 -2\n302 0 FT9-1 1\n302 0\n",
  };
  const options = () => ({
    out: here.out,
    name: "My News",
    topics: here.path("topics"),
    qrels: here.path("qrels"),
    field: "title" as const,
    keepTags: false,
  });
  const sgml =
    "<top>\n<num> Number: 301 \n<title> Topic: cafes &amp; bars\n\n<desc> Description: \nWhich cafes\nare bars?\n<narr> Narrative: any\n</top>\n" +
    "<top>\n<num> Number: 302\n<title> x\n<desc> Description:\nwhat is x?\n</top>\n<top>\n<num> Number: 303\n</top>\n";

  test("newswire and web pages in one folder, with topics in SGML", async () => {
    here.write({ ...documents, topics: sgml });
    const report = await importTrec(here.path("docs"), options());
    expect(report).toMatchObject({ sites: 3, documents: 3, topics: { "web-search": 2 }, judgements: 3 });
    expect(report.firstBadRecords).toEqual([
      { record: "ap:10", reason: "a document without a DOCNO" },
      { record: "ap:15", reason: "a document without its end tag" },
      { record: "ap:23", reason: "a document without its end tag" },
      { record: "topics:16", reason: "a topic without a number, or without a title" },
      { record: "qrels:4", reason: "not a topic, an iteration, a document and a grade" },
    ]);
    const read = await readCorpus(here.out);
    expect(read.documents.map(({ id, site, title, text }) => [id, site, title, text])).toEqual([
      ["AP1-0001", "ap.my-news.example", "Café & bar", "Lead.\nOne two"],
      ["FT9-1", "ft.my-news.example", "", "x"],
      ["W-1", "site.example", "Web", "page"],
    ]);
    expect(read.topics["web-search"]).toEqual([
      { id: "301", query: "cafes & bars", relevant: { "AP1-0001": 2 }, judged: ["W-1"] },
      { id: "302", query: "x", relevant: { "FT9-1": 1 } },
    ]);
  });

  test.each([
    ["descriptions", sgml, "description", ["Which cafes are bars?", "what is x?"]],
    [
      "XML of the web track",
      '<?xml version="1.0"?>\n<webtrack>\n<topic number="301" type="faceted">\n<query>cafes</query>\n<description>All\ncafes.</description>\n</topic>\n<topic number="302">\n<query>x</query>\n</topic>\n</webtrack>',
      "title",
      ["cafes", "x"],
    ],
    ["lines with tabs", "301\tcafes: where\n302\tx\n", "title", ["cafes: where", "x"]],
    ["lines with colons", "301:cafes\n302: x y\n", "title", ["cafes", "x y"]],
  ] as const)("topics as %s", async (_name, topics, field, expected) => {
    here.write({ ...documents, topics });
    await importTrec(here.path("docs"), { ...options(), field });
    const queries = (await readCorpus(here.out)).topics["web-search"] as { query: string }[];
    expect(queries.map(({ query }) => query)).toEqual(expected);
  });
});

describe("tables", () => {
  const options = () => ({ out: here.out, name: "mine", html: false, map: [] as string[] });

  test("CSV: quoted line ends, columns by option, sites by name, records of the wrong length", async () => {
    here.write({
      "pages.csv":
        '\ufeffnumber,paper,abstract,body\r\n1,Daily News,"One, ""quoted""\r\nline",rest\r\n2,www.site.example,two,\r\n3,short\r\n\r\n4,,four,\r\n',
      "topics.csv": "id,query\nq,one\n,none\n",
      qrels: "q 0 1 1\n",
    });
    const report = await importTable(here.path("pages.csv"), "csv", {
      ...options(),
      map: ["id=number", "site=paper", "text=abstract+body"],
      topics: here.path("topics.csv"),
      qrels: here.path("qrels"),
    });
    expect(report).toMatchObject({ sites: 3, documents: 3, topics: { "web-search": 1 }, badRecords: 2 });
    expect(report.firstBadRecords.map(({ record }) => record)).toEqual(["pages.csv:5", "topics.csv:3"]);
    const { documents } = await readCorpus(here.out);
    expect(documents.map(({ id, site, text }) => [id, site, text])).toEqual([
      ["1", "daily-news.mine.example", 'One, "quoted"\nline\nrest'],
      ["2", "www.site.example", "two"],
      ["4", "mine.example", "four"],
    ]);
  });

  test("TSV takes quotation marks as they are; JSONL of HTML takes title and host from page and address", async () => {
    here.write({
      "a.tsv": 'id\ttext\n1\tsaid "so\n2\tb\n',
      "b.jsonl":
        '{"id": 1, "url": "http://H.example/x", "text": "<title>T</title><p>a<p>b"}\n{"id": 2, "text": null}\n',
    });
    await importTable(here.path("a.tsv"), "csv", options());
    expect((await readCorpus(here.out)).documents.map(({ text }) => text)).toEqual(['said "so', "b"]);
    const out = `${here.out}-html`;
    const report = await importTable(here.path("b.jsonl"), "jsonl", { ...options(), html: true, out });
    expect(report).toMatchObject({ documents: 2, documentsWithoutText: 1, topics: {} });
    expect((await readCorpus(out)).documents[0]).toMatchObject({
      id: "1",
      site: "h.example",
      title: "T",
      text: "a\nb",
    });
  });
});
