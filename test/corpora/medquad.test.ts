import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Document } from "../../src/corpora/format.ts";
import { importMedquad } from "../../src/corpora/importers/medquad.ts";
import { readCoveredTopics, readDocuments, readHead, readSites, readTopics } from "../../src/corpora/read.ts";
import { InputError } from "../../src/errors.ts";
import { packageRoot } from "../../src/package-root.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "awesim-medquad-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const page = (attributes: string, focus: string, ...pairs: [question: string, answer: string][]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document ${attributes}><Focus>${focus}</Focus><QAPairs>${pairs
    .map(([q, a], i) => `<QAPair pid="${i + 1}"><Question qid="q">${q}</Question><Answer>${a}</Answer></QAPair>`)
    .join("")}</QAPairs></Document>`;

const gard = 'source="GARD" url="https://rarediseases.info.nih.gov/gard/1/a"';
const files: Record<string, string> = {
  "2_GARD_QA/0000001.xml": page(
    `id="0000001" ${gard}`,
    "Crohn&apos;s disease",
    [
      "What is Crohn&#8217;s disease ?",
      "What is it? A &quot;bowel&quot; disease &amp; more.\n      Second &copy; line.  ",
    ],
    ["How common is it ?", ""],
    ["Who gets it ?", "Anyone &lt; 40."],
  ),
  "2_GARD_QA/0000002_1.xml": page(`id="0000002" ${gard}`, "Twin one", ["Is it shared ?", "Yes, one."]),
  "2_GARD_QA/0000002_2.xml": page(`id="0000002" ${gard}`, "Twin two", ["Is it shared ?", "Yes, two."]),
  "6_NINDS_QA/0000007.xml":
    '<doc docid="0000007" corpus="NINDS" url="http://www.ninds.nih.gov/holmes_adie.htm"><doctitle-focus>Holmes-Adie</doctitle-focus><qaPairs><pair pid="1"><question>what is it ?</question><answer>A disorder.</answer></pair></qaPairs></doc>',
  "9_CDC_QA/0000397.xml":
    '<DiseaseFile fid="0000397" source="CDC" url="http://www.cdc.gov/parasites/blood_flukes.html"><Focus></Focus><QAPairs><QAPair pid="1"><Question>Who is at risk for ?</Question><Answer>Swimmers.</Answer></QAPair></QAPairs></DiseaseFile>',
  "9_CDC_QA/broken.xml": "<Document><Focus>",
  "9_CDC_QA/elsewhere.xml": page('id="9" source="CDC" url="http://elsewhere.example/"', "x", ["q", "a"]),
  "9_CDC_QA/nameless.xml": page('id="9" source="CDC"', "x", ["q", "a"]),
  "notes.txt": "not a page",
};
const qrels = `1 4-Excellent GARD_0000001_Sec3.txt
1 2-Related GARD_0000001_Sec1.txt
1 2-Related NINDS_0000007_Sec1.txt
1 1-Incorrect CDC_0000397_Sec1.txt
1 4-Excellent GARD_0000002_Sec1.txt
1 3-Incomplete ADAM_0000001_Sec1.txt
2 2-Related NINDS_0000007_Sec1.txt
3 3-Incomplete NINDS_0000007_Sec1.txt
what is this
`;

async function writeSource(): Promise<string> {
  const source = join(folder, "source");
  mkdirSync(source);
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  writeFileSync(join(source, "set.tar.gz"), gzipSync(await buffer(archive)));
  writeFileSync(join(source, "All-qrels.txt"), qrels);
  writeFileSync(join(source, "liveqa-queries.tsv"), "1\tWho gets Crohn's?\n2\tOnly related?\nno tab\n");
  return source;
}

async function read(directory: string) {
  const documents: Document[] = [];
  for await (const { document } of readDocuments(directory)) documents.push(document);
  const topics = [];
  for await (const { topic } of readTopics(directory, "web-search")) topics.push(topic);
  return { documents, topics };
}

describe("a small set with every oddity", () => {
  test("becomes a corpus, and the report says what was left out", async () => {
    const out = join(folder, "corpora/medquad");
    const report = await importMedquad(await writeSource(), out);
    expect(report).toMatchObject({ sites: 9, pages: 5, judgedTopics: 1, knownItemTopics: 3, pagesWithoutText: 0 });
    expect(report.unresolvedJudgements).toBe(2);
    expect(report.badRecords.map(({ record }) => record)).toEqual([
      "9_CDC_QA/broken.xml",
      "9_CDC_QA/elsewhere.xml",
      "9_CDC_QA/nameless.xml",
      "All-qrels.txt:9",
      "liveqa-queries.tsv:3",
    ]);

    expect(readHead(out).name).toBe("medquad");
    const { documents, topics } = await read(out);
    expect(documents[0]).toEqual({
      id: "GARD/0000001.xml",
      site: "rarediseases.info.nih.gov",
      url: "https://rarediseases.info.nih.gov/gard/1/a",
      title: "Crohn's disease",
      text: 'A "bowel" disease & more.\nSecond © line.\n\nAnyone < 40.',
    });
    expect(documents.slice(1).map(({ id, title, text }) => [id, title, text])).toEqual([
      ["GARD/0000002_1.xml", "Twin one", "Yes, one."],
      ["GARD/0000002_2.xml", "Twin two", "Yes, two."],
      ["NINDS/0000007.xml", "Holmes-Adie", "A disorder."],
      ["CDC/0000397.xml", "blood flukes", "Swimmers."],
    ]);
    expect(topics).toEqual([
      {
        id: "liveqa-1",
        query: "Who gets Crohn's?",
        relevant: { "GARD/0000001.xml": 3, "NINDS/0000007.xml": 1 },
        judged: ["CDC/0000397.xml"],
      },
      { id: "known-GARD/0000001.xml-1", query: "What is Crohn’s disease ?", relevant: { "GARD/0000001.xml": 1 } },
      { id: "known-GARD/0000001.xml-3", query: "Who gets it ?", relevant: { "GARD/0000001.xml": 1 } },
      { id: "known-NINDS/0000007.xml-1", query: "what is it ?", relevant: { "NINDS/0000007.xml": 1 } },
    ]);
  });

  test("leaves nothing behind when a file is missing or broken, or the place is taken", async () => {
    const source = await writeSource();
    const out = join(folder, "out");
    const archive = readFileSync(join(source, "set.tar.gz"));
    writeFileSync(join(source, "set.tar.gz"), archive.subarray(0, archive.length / 2));
    await expect(importMedquad(source, out)).rejects.toThrow(/set\.tar\.gz: is no sound \.tar\.gz archive/);
    rmSync(join(source, "set.tar.gz"));
    await expect(importMedquad(source, out)).rejects.toThrow(/expected one file that is the archive .* found none/);
    expect(readdirSync(folder)).toEqual(["source"]);
    writeFileSync(join(source, "set.tar.gz"), archive);
    mkdirSync(out);
    await expect(importMedquad(source, out)).rejects.toThrow(/out: exists already/);
    await expect(importMedquad(join(folder, "none"), out)).rejects.toThrow(InputError);
    expect(readdirSync(folder).sort()).toEqual(["out", "source"]);
  });
});

const published = join(packageRoot, "../shared/data/medquad");

test.skipIf(!existsSync(published))(
  "the published set: 9 sites, 5,497 pages, 38 judged topics (skipped without it)",
  async () => {
    const out = join(folder, "medquad");
    const report = await importMedquad(published, out);
    expect(report).toEqual({
      sites: 9,
      pages: 5497,
      judgedTopics: 38,
      knownItemTopics: 2000,
      pagesWithoutText: 7,
      unresolvedJudgements: 1980,
      badRecords: [],
    });
    const { documents, topics } = await read(out);
    const ids = new Set(documents.map(({ id }) => id));
    const sites = await readSites(out);
    const pagesOf = (site: string) => documents.filter((document) => document.site === site).length;
    expect(sites.map(({ id }) => pagesOf(id))).toEqual([116, 2685, 1086, 981, 157, 277, 48, 88, 59]);
    expect((await readCoveredTopics(out, "web-search", (id) => ids.has(id))).uncovered).toBe(0);
    const judged = topics.filter(({ id }) => id.startsWith("liveqa-"));
    const good = judged.map(({ relevant }) => Object.keys(relevant).filter((id) => (relevant[id] as number) >= 2));
    expect(good.every((pages) => pages.length > 0)).toBe(true);
    expect(good.filter((pages) => new Set(pages.map((id) => id.split("/")[0])).size > 1)).toHaveLength(12);
    const textOf = new Map(documents.map(({ id, text }) => [id, text]));
    const known = topics.filter(({ id }) => id.startsWith("known-"));
    const leaking = known.filter(({ query, relevant }) =>
      textOf.get(Object.keys(relevant)[0] as string)?.includes(query),
    );
    expect(leaking.length).toBeLessThan(20);
  },
);
