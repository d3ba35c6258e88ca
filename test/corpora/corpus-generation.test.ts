import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { type TaskName, taskNames } from "../../src/corpora/format.ts";
import { generateCorpus, type GenerateOptions, generatorSha256 } from "../../src/corpora/generator/generate.ts";
import { readCoveredTopics, readDocuments, readHead, readSites } from "../../src/corpora/read.ts";
import { packageRoot } from "../../src/package-root.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "awesim-generate-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The SHA-256 of every file of a corpus generated with these options. */
function generated(name: string, options: GenerateOptions): Record<string, string> {
  const directory = join(folder, name);
  generateCorpus(options, directory);
  const files = (readdirSync(directory, { recursive: true }) as string[]).filter((file) => /\.\w+$/.test(file)).sort();
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(directory, file)))
        .digest("hex"),
    ]),
  );
}

describe("generating a corpus", () => {
  const smallTopics = {
    webSearchTopics: 80,
    webRecommendationTopics: 20,
    questionAnsweringTopics: 20,
    deepResearchTopics: 20,
  };
  const small = { seed: 7, sites: 12, documents: 600, parameters: smallTopics };

  it("gives the same bytes for the same options, and others for another seed", () => {
    const first = generated("first", small);
    expect(generated("again", small)).toEqual(first);
    const other = generated("other", { ...small, seed: 8 });
    for (const [file, hash] of Object.entries(first)) expect(other[file]).not.toBe(hash);
  });

  it("gives a corpus that reads, with all its topics covered", async () => {
    const directory = join(folder, "readable");
    const heard: number[] = [];
    const counts = generateCorpus({ ...small, documents: 2500 }, directory, (documents) => heard.push(documents));
    expect(counts).toEqual({
      sites: 12,
      documents: 2500,
      topics: {
        "web-search": 80,
        "web-recommendation": 20,
        "question-answering": 20,
        "deep-research": 20,
      },
    });
    expect(heard).toEqual([1000, 2000]);
    expect((await readSites(directory)).length).toBe(12);
    const ids = new Set<string>();
    for await (const { document } of readDocuments(directory)) ids.add(document.id);
    expect(ids.size).toBe(2500);
    for (const [task, count] of Object.entries(counts.topics) as [TaskName, number][]) {
      const { topics, uncovered } = await readCoveredTopics(directory, task, (id) => ids.has(id));
      expect([topics.length, uncovered]).toEqual([count, 0]);
    }
  });

  it("refuses options that make no corpus, and leaves nothing behind", () => {
    const target = join(folder, "refused");
    for (const options of [
      { sites: 3 },
      { documents: 50 },
      { documents: 9000.5 },
      { parameters: { absentWords: 1.5 } },
      { parameters: { confusers: -1 } },
      { parameters: { wrongWords: 1 } as object },
    ]) {
      expect(() => generateCorpus(options, target)).toThrow(InputError);
    }
    expect(existsSync(target)).toBe(false);
    expect(() => generateCorpus(small, folder)).toThrow(/exists already/);
  });
});

describe("corpora/atlas", () => {
  const shipped = join(packageRoot, "corpora", "atlas");

  it("is what the generator gives by default", () => {
    generateCorpus({}, join(folder, "atlas"));
    for (const file of ["sites.jsonl", ...taskNames.map((task) => join("tasks", `${task}.jsonl`))]) {
      expect(readFileSync(join(folder, "atlas", file), "utf8") === readFileSync(join(shipped, file), "utf8")).toBe(
        true,
      );
    }
    // Compressors differ from version to version; what they hold must not.
    const text = (directory: string): Buffer => gunzipSync(readFileSync(join(directory, "documents.jsonl.gz")));
    expect(text(join(folder, "atlas")).equals(text(shipped))).toBe(true);
  });

  it("names the generator that made it", () => {
    const { generator } = readHead(shipped) as { generator?: { sourceSha256: string; seed: number } };
    expect(generator?.seed).toBe(1);
    expect(generator?.sourceSha256).toBe(generatorSha256());
  });
});
