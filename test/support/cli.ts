import { spawn } from "node:child_process";
import { join } from "node:path";
import "./quiet-xstate.ts";
import { awesim } from "../../src/cli/awesim.ts";
import { packageRoot } from "../../src/package-root.ts";

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process; what it prints is caught. */
export async function command(...args: string[]): Promise<CommandEnd> {
  const printed = { stdout: "", stderr: "" };
  const restore = (["stdout", "stderr"] as const).map((name) => {
    const write = process[name].write;
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
    return () => {
      process[name].write = write;
    };
  });
  try {
    const code = await awesim(args);
    return { code, ...printed };
  } finally {
    for (const each of restore) each();
  }
}

/** Runs a command in a process of its own, started in the directory `cwd`. */
export function commandProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = packageRoot,
): Promise<CommandEnd> {
  const main = join(packageRoot, "src/cli/main.ts");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), main, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, ...printed }));
  });
}
