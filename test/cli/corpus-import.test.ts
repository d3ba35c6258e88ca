import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importCommand } from "../../src/cli/corpus/import.ts";
import { command, commandProcess } from "../support/cli.ts";
import { sourceFolder } from "../support/source-folder.ts";

const here = sourceFolder();
const formats = importCommand(() => {}).commands.map((each) => each.name());

test("the help of import names every format, with an example of each", async () => {
  const { stdout, code } = await command("corpus", "import", "--help");
  expect(code).toBe(0);
  expect(formats).toHaveLength(11);
  for (const format of formats) {
    expect(stdout).toMatch(new RegExp(`^  ${format} `, "m"));
    expect(stdout).toMatch(new RegExp(`^  awesim corpus import ${format} \\S`, "m"));
  }
});

test("an import says what was found and left out; with --json as JSON", async () => {
  here.write({ "a.jsonl": '{"id": 1, "text": "x"}\nbad \u001b[31m\n' });
  const first = await command("corpus", "import", "jsonl", here.source, "--out", here.out);
  expect(first).toEqual({
    code: 0,
    stderr: 'left out a.jsonl:2: no JSON object: "bad \\u001b[31m"\n',
    stdout: [
      `${here.out}: 1 sites, 1 documents, no topics`,
      "0 documents without text",
      "0 judgements",
      "0 topics whose ground truth names documents that are not there (runs leave them out)",
      "1 records could not be used\n",
    ].join("\n"),
  });
  const second = await command(
    "corpus",
    "import",
    "jsonl",
    here.source,
    "--sites",
    "3",
    "--json",
    "--out",
    `${here.out}2`,
  );
  expect(JSON.parse(second.stdout)).toMatchObject({ documents: 1, badRecords: 1, sites: 1 });
  expect(readFileSync(`${here.out}2/sites.jsonl`, "utf8")).toContain("part-");
});

describe("what cannot be imported is refused in one line, with nothing left behind", () => {
  test.each(formats)("%s: a folder without the set", async (format) => {
    const topics = format === "trec" ? ["--topics", "x", "--qrels", "x"] : [];
    const { code, stdout, stderr } = await command(
      "corpus",
      "import",
      format,
      here.source,
      ...topics,
      "--out",
      here.out,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(here.source);
    expect(here.made()).toEqual([]);
  });

  test.each([
    [["--sites", "none"], /--sites: expected auto, one or a number/],
    [["--map", "text"], /--map: expected <field>=<column> with a field of id, url, site, title, text, got "text"/],
    [["--map", "body=x"], /--map: expected <field>=<column>/],
    [["--topics", "x"], /--qrels: topics need judgements/],
    [["--site-priors", "none.json"], /none\.json: there is no such file/],
    [["--name", "!"], /--name: expected letters or digits/],
  ])("jsonl with %j", async (options, message) => {
    here.write({ "a.jsonl": '{"id": 1}\n' });
    const { code, stderr } = await command("corpus", "import", "jsonl", here.source, "--out", here.out, ...options);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(here.made()).toEqual([]);
  });
});

test("the program itself ends with 2 and one line", async () => {
  const { code, stderr } = await commandProcess(["corpus", "import", "beir", here.source, "--out", here.out], {});
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `awesim: ${here.source}: holds no corpus.jsonl; give the folder of a BEIR set, unpacked\n`,
  });
});
