import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { DamagedFile } from "../../src/trace/damaged-file.ts";
import { compressFile, GzipBytes } from "../../src/trace/gzip-blocks.ts";
import { command } from "../support/cli.ts";
import { filesBelow } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-gzip-"));
afterAll(() => rmSync(folder, { recursive: true }));
const web = smallWeb();

const megabyte = 1 << 20;
const text = Buffer.from(Array.from({ length: 400_000 }, (_, n) => `line ${n} ${n * n}\n`).join(""));
const compressed = join(folder, "lines");
writeFileSync(compressed, text);
compressFile(compressed);

describe("A compressed file", () => {
  it("takes the place of the file, is smaller, and any gzip reads it", () => {
    expect(existsSync(compressed)).toBe(false);
    expect(readFileSync(`${compressed}.gz`).length).toBeLessThan(text.length / 2);
    expect(execFileSync("gzip", ["-dc", `${compressed}.gz`], { maxBuffer: 1 << 26 }).equals(text)).toBe(true);
  });

  it("is read at any place, over the edges of its blocks and past its end", () => {
    const bytes = new GzipBytes(`${compressed}.gz`);
    expect(text.length).toBeGreaterThan(5 * megabyte);
    fc.assert(
      fc.property(fc.nat(text.length + 10), fc.nat(2.5 * megabyte), (offset, length) =>
        bytes.at(offset, length).equals(text.subarray(offset, offset + length)),
      ),
      {
        numRuns: 50,
        examples: [
          [megabyte - 1, 2],
          [0, text.length],
          [text.length, 1],
        ],
      },
    );
    bytes.close();
  });

  it("is known to be damaged when a byte is another, or the end is missing", () => {
    const whole = readFileSync(`${compressed}.gz`);
    const read = (bytes: Buffer) => {
      const file = join(folder, "damaged.gz");
      writeFileSync(file, bytes);
      const opened = new GzipBytes(file);
      try {
        return opened.at(0, text.length + 1);
      } finally {
        opened.close();
      }
    };
    for (const at of [0, 17, 500, Math.floor(whole.length / 2), whole.length - 6]) {
      const other = Buffer.from(whole);
      other[at] = (other[at] as number) ^ 0x55;
      expect(() => read(other), String(at)).toThrow(DamagedFile);
    }
    expect(() => read(whole.subarray(0, -3))).toThrow(DamagedFile);
    expect(() => read(whole.subarray(0, 10))).toThrow(DamagedFile);
  });
});

describe("A run with a compressed tape", () => {
  it("is replayed, taken over from, and replayed into a directory, as one without", async () => {
    process.env["AWESIM_CACHE"] = web.cache;
    const scenario = web.scenario("packed", { until: "10m" });
    const [run, copy, again] = ["packed", "copy", "again"].map((name) => join(web.folder, name)) as [
      string,
      string,
      string,
    ];
    const end = await command("run", scenario, "--no-view", "--out", run, "--compress");
    expect(end.code, end.stderr).toBe(0);
    const tapes = filesBelow(run).filter((name) => /^(tape|texts)/.test(name));
    expect(tapes).toEqual(["tape.jsonl.gz", "texts.jsonl.gz"]);
    expect((await command("replay", run, "--out", copy)).code).toBe(0);
    expect((await command("replay", copy)).code).toBe(0);
    const taken = await command(
      "run",
      scenario,
      "--no-view",
      "--out",
      again,
      "--replay-from",
      run,
      "--on-miss",
      "error",
    );
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stderr).toMatch(/answers came from the older tape, 0 did not/);
  });
});
