import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { awesim } from "../../src/cli/awesim.ts";
import { packageRoot } from "../../src/package-root.ts";

/** Of scenarios/hello.yaml. A change of behaviour changes it: explain the change in CHANGELOG.md, then pin anew. */
const traceSha256 = "cf191c72f9e98ac34a99fe5322b84edac6c0761f3f7aa95432767084f32c2044";

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
