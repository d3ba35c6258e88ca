import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, resolve } from "node:path";
import { InputError } from "../errors.ts";

/** A module of the user's, ready to run: one file of CommonJS that needs no other but Node's own modules. */
export interface Plugin {
  /** The file's name among a run's inputs, `<name>.cjs`. */
  readonly name: string;
  readonly code: string;
  /** Of the code. */
  readonly sha256: string;
}

/**
 * Reads a plugin: TypeScript or JavaScript is bundled with all that it imports, but for types of awesim; a bundle made
 * before (`.cjs`, among a run's inputs) is taken as it is. The same sources give the same bundle.
 * @param path from the scenario's folder, else from the working directory
 */
export function readPlugin(path: string, scenarioFile: string): Plugin {
  const besideScenario = resolve(dirname(scenarioFile), path);
  const file = existsSync(besideScenario) ? besideScenario : resolve(path);
  if (!existsSync(file)) throw new InputError(`expected a module, such as ./my-strategy.ts; ${path} is not there`);
  const isBundle = extname(file) === ".cjs";
  const code = isBundle ? readFileSync(file, "utf8") : bundle(file);
  const name = `${basename(file, extname(file))}.cjs`;
  return { name, code, sha256: createHash("sha256").update(code).digest("hex") };
}

interface BuildError {
  readonly errors: readonly { text: string; location: { file: string; line: number } | null }[];
}

function bundle(file: string): string {
  // Loaded only when there is a plugin: it starts a process of its own.
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  try {
    const { outputFiles } = buildSync({
      entryPoints: [basename(file)],
      absWorkingDir: dirname(file), // the bundle names its sources from here: it is the same wherever they lie
      bundle: true,
      write: false,
      format: "cjs",
      platform: "node",
      target: "node20",
      external: ["awesim"],
      legalComments: "none",
      logLevel: "silent",
      tsconfigRaw: "{}",
    });
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    const [first] = (error as Partial<BuildError>).errors ?? [];
    if (first === undefined) throw error;
    const where =
      first.location === null
        ? { file }
        : { file: resolve(dirname(file), first.location.file), line: first.location.line };
    throw new InputError(`cannot be loaded: ${first.text}`, where);
  }
}
