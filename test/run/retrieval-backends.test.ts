import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { readJson, readTrace } from "../support/run-files.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();
process.env["AWESIM_CACHE"] = web.cache;
const assistants = `
  - { share: 0.6, strategy: multi-agent, model: surrogate/qwen3-4b }
  - { share: 0.4, strategy: classic-ir }`;
const settings = {
  // An embedder that cannot be opened: words need none.
  bm25: "{ index: bm25, embedder: transformers/there-is-none }",
  hybrid: "{ index: hybrid, embedder: hashing, hybrid: { depth: 5 } }",
};

async function run(name: string, retrieval: string): Promise<string> {
  const out = join(web.folder, name);
  const end = await command(
    "run",
    web.scenario(name, { name: "backends", retrieval, assistants }),
    "--no-view",
    "--out",
    out,
  );
  expect(end.code, end.stderr).toBe(0);
  return out;
}
const manifestOf = (directory: string) =>
  readJson<{ traceSha256: string; vectorsSha256: string | null; indexIdentity: string }>(directory, "manifest.json");

describe.each(["bm25", "hybrid"] as const)("a run with the %s index", (index) => {
  it("is the same again, names its index, and replays without it", async () => {
    const first = await run(`${index}-1`, settings[index]);
    const manifest = manifestOf(first);
    expect(manifest.indexIdentity).toContain(`${index}/`);
    expect(manifest.vectorsSha256 === null).toBe(index === "bm25");
    expect(readTrace(first).head).toMatchObject({ vectorsSha256: manifest.vectorsSha256 });
    expect(manifestOf(await run(`${index}-2`, settings[index])).traceSha256).toBe(manifest.traceSha256);

    const alone = join(web.folder, `${index}-alone`);
    cpSync(first, alone, { recursive: true });
    renameSync(web.cache, `${web.cache}-away`);
    const replay = await command("replay", alone);
    renameSync(`${web.cache}-away`, web.cache);
    expect(replay.code, replay.stderr).toBe(0);
    const { groups } = readJson<{ groups: { retrieval: string }[] }>(first, "metrics.json");
    expect(groups.map((group) => group.retrieval)).toEqual(groups.map(() => index));
  });
});

it("other parameters are another index", async () => {
  const one = manifestOf(await run("k1-a", settings.bm25));
  const other = manifestOf(await run("k1-b", "{ index: bm25, bm25: { k1: 0.9, b: 0.4 } }"));
  expect(other.indexIdentity).toBe(one.indexIdentity.replace("k1=1.2,b=0.75", "k1=0.9,b=0.4"));
});

it("sites are selected by vectors where words are searched, and the index says so", async () => {
  const out = join(web.folder, "selected");
  const scenario = web.scenario("selected", {
    retrieval: "{ index: bm25, embedder: hashing }",
    assistants: "[{ strategy: tool-e }, { strategy: redde }]",
  });
  const end = await command("run", scenario, "--no-view", "--out", out);
  expect(end.code, end.stderr).toBe(0);
  expect(manifestOf(out).indexIdentity).toMatch(/^bm25\/.*\+dense\/hashing\//);
  expect((await command("replay", out)).code).toBe(0);
});
