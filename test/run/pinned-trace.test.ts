import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { awesim } from "../../src/cli/awesim.ts";
import { packageRoot } from "../../src/package-root.ts";

/** Of scenarios/hello.yaml. A change of behaviour changes it: explain the change in CHANGELOG.md, then pin anew. */
const traceSha256 = "c36ee08a35a54367ad7f9f0eb2b32b3d379a88f93690c90f9bbcbaef38c1b17f";

it("the frozen scenario hello has the trace it had before", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "awesim-hello-"));
  try {
    const out = join(folder, "run");
    expect(await awesim(["run", join(packageRoot, "scenarios/hello.yaml"), "--no-view", "--json", "--out", out])).toBe(
      0,
    );
    const manifest = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8")) as { traceSha256: string };
    expect(manifest.traceSha256).toBe(traceSha256);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
