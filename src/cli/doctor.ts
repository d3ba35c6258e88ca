import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command } from "commander";
import { InputError } from "../errors.ts";
import { packageRoot } from "../package-root.ts";
import { secretsOf, withoutSecrets } from "../models/secrets.ts";
import { openEmbedder } from "../retrieval/embedders/open.ts";
import { RunControl } from "../run/control.ts";
import { execute } from "../run/execute.ts";
import { gatherInputs } from "../run/gather.ts";
import { livePorts, openModels } from "../run/live-ports.ts";
import { loadScenario } from "../scenario/load.ts";
import { clean } from "../terminal/clean.ts";
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
      process.stdout.write(`${result.ok ? "ok  " : "FAIL"}  ${name}: ${clean(result.text)}\n`);
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
    { name: "endpoint", run: checkEndpoint },
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
      name: "a run that nobody watches or records",
      run: async () => {
        const alone = await runUnwatched(hello);
        if (alone !== traceHash(first)) throw new Error(`its trace hash differs: ${alone} and ${traceHash(first)}`);
        return "the same trace";
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

/** Asks the endpoint of the environment, if there is one, for its models. */
async function checkEndpoint(): Promise<string> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = process.env;
  if (apiKey === undefined && baseURL === undefined) return "none is configured";
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({ apiKey: apiKey ?? "none", baseURL: baseURL ?? null, maxRetries: 0, timeout: 10_000 });
  const names: string[] = [];
  try {
    for await (const { id } of client.models.list()) names.push(id);
  } catch (error) {
    const readable = withoutSecrets(secretsOf({ key: apiKey, baseUrl: baseURL }));
    throw new Error(`${new URL(client.baseURL).host} does not list its models: ${readable((error as Error).message)}`);
  }
  return `answers, and has ${names.length} models, such as ${names[0] ?? "none"}`;
}

/** The trace hash of a run in this process, without directory, tape, tables and view. */
async function runUnwatched(file: string): Promise<string | null> {
  const loaded = loadScenario(file);
  const models = await openModels(loaded);
  const gathering = { loaded, promptsDirectory: null, cacheDirectory: cacheDirectory(), replication: 0 };
  const { inputs, retrieval } = await gatherInputs({ ...gathering, progress: () => {} });
  try {
    const calls = { live: 0, tape: 0, surrogate: 0, unused: 0 };
    const ports = livePorts({ inputs, retrieval, models, tape: null, calls, now: () => 0 });
    const control = new RunControl();
    const options = { directory: null, level: "full", control, observers: [], onTurn: () => {} } as const;
    const { traceSha256, error } = await execute({ inputs, ports, ...options });
    if (error !== null) throw error;
    return traceSha256;
  } finally {
    retrieval.close();
  }
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
