import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";
import { openEmbedder } from "../retrieval/embedders/open.ts";
import { cacheDirectory } from "./options.ts";

const runFile = promisify(execFile);

interface Check {
  readonly name: string;
  /** Resolves with what was found, rejects with what is wrong. */
  readonly run: () => Promise<string>;
}

export function doctorCommand(report: (code: number) => void): Command {
  return new Command("doctor")
    .description("checks the installation, and that runs and replays are deterministic on this machine")
    .addHelpText("after", "\nExample:\n  awesim doctor")
    .action(async () => report(await doctor()));
}

async function doctor(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "awesim-doctor-"));
  let failures = 0;
  try {
    for (const { name, run } of checks(scratch)) {
      const result = await run().then(
        (found) => ({ ok: true, text: found }),
        (error: unknown) => ({ ok: false, text: firstLine(error) }),
      );
      if (!result.ok) failures++;
      process.stdout.write(`${result.ok ? "ok  " : "FAIL"}  ${name}: ${result.text}\n`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.stdout.write(failures === 0 ? "All is well.\n" : `${failures} of the checks failed.\n`);
  return failures === 0 ? 0 : 1;
}

function checks(scratch: string): Check[] {
  const hello = join(packageRoot, "scenarios", "hello.yaml");
  const first = join(scratch, "first");
  const second = join(scratch, "second");
  return [
    { name: "Node", run: async () => process.version },
    {
      name: "native modules",
      run: async () => {
        const { default: Database } = await import("better-sqlite3");
        new Database(":memory:").close();
        const { default: hnswlib } = await import("hnswlib-node");
        new hnswlib.HierarchicalNSW("ip", 2).initIndex(1);
        return "better-sqlite3 and hnswlib-node load";
      },
    },
    {
      name: "sentence encoder",
      run: async () => {
        const embedder = await openEmbedder("sentence", () => [], scratch);
        const vector = await embedder.embed("A short sentence.");
        return `${vector.length} dimensions`;
      },
    },
    {
      name: "write access",
      run: async () => {
        const file = join(process.cwd(), `.awesim-doctor-${process.pid}`);
        writeFileSync(file, "");
        rmSync(file);
        return `runs/ and ${cacheDirectory()} can be made`;
      },
    },
    {
      name: "a run twice, in two processes",
      run: async () => {
        await awesim("run", hello, "--no-view", "--json", "--out", first);
        await awesim("run", hello, "--no-view", "--json", "--out", second, "--trace", "summary");
        const [one, two] = [first, second].map(traceHash);
        if (one !== two) throw new Error(`the trace hashes differ: ${one} and ${two}`);
        return `the same trace, ${one}`;
      },
    },
    {
      name: "replay",
      run: async () => {
        await awesim("replay", first);
        return "equals the run byte for byte";
      },
    },
  ];
}

/** Runs awesim itself, with the same interpreter and flags. */
async function awesim(...args: string[]): Promise<void> {
  const main = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "main.ts" : "main.js", import.meta.url));
  await runFile(process.execPath, [...process.execArgv, main, ...args]);
}

function traceHash(directory: string): string {
  const { traceSha256 } = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as {
    traceSha256: string | null;
  };
  if (traceSha256 === null) throw new InputError("the run did not complete", { file: directory });
  return traceSha256;
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return ((stderr || message) ?? String(error)).split("\n").slice(0, 2).join(" ");
}
