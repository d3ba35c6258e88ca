import { createRequire, isBuiltin } from "node:module";
import { compileFunction } from "node:vm";
import { z } from "zod";
import type { Strategy } from "../agents/strategy.ts";
import { InputError } from "../errors.ts";
import type { LoadedScenario } from "../scenario/load.ts";
import type { Plugin } from "../scenario/plugin.ts";
import { findStrategy, strategyNames } from "../strategies/registry.ts";

const callable = z.custom<() => unknown>((value) => typeof value === "function", { error: "expected a function" });
const common = {
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, { error: "expected lower-case letters, digits and hyphens" }),
  reaches: z.enum(["sites", "central-index", "nothing"]),
};
const strategySchema = z.discriminatedUnion("usesModel", [
  z.looseObject({
    ...common,
    usesModel: z.literal(true),
    menu: z.enum(["sites", "central", "none"]),
    readSearch: callable,
  }),
  z.looseObject({ ...common, usesModel: z.literal(false), plan: callable }),
]);

const loadedStrategies = new WeakMap<LoadedScenario, readonly Strategy[]>();

/** The strategy that a scenario means by a name: one of its plugins' or awesim's own. */
export function strategyNamed(loaded: LoadedScenario, name: string): Strategy {
  let own = loadedStrategies.get(loaded);
  if (own === undefined) {
    own = loaded.plugins.flatMap((plugin, index) => {
      try {
        return strategiesOf(plugin);
      } catch (error) {
        throw new InputError(`${plugin.name}: ${(error as Error).message}`, loaded.place(["plugins", index]));
      }
    });
    loadedStrategies.set(loaded, own);
  }
  return findStrategy(name, own);
}

/** Runs a plugin's code; its default export is a strategy, or a list of them. */
function strategiesOf({ code, name }: Plugin): readonly Strategy[] {
  const module = { exports: {} as { default?: unknown } };
  compileFunction(code, ["module", "exports", "require"], { filename: name })(module, module.exports, requireBuiltin);
  const exported = [module.exports.default].flat();
  return exported.map((value) => {
    const result = strategySchema.safeParse(value);
    if (!result.success) {
      const [issue] = result.error.issues;
      const field = issue?.path.join(".") ?? "";
      throw new InputError(
        `expected a strategy as the default export; ${field === "" ? "" : `${field}: `}${issue?.message}`,
      );
    }
    if (strategyNames().includes(result.data.name)) {
      throw new InputError(`${result.data.name} is the name of a strategy of awesim; choose another`);
    }
    return value as Strategy;
  });
}

const requireHere = createRequire(import.meta.url);

/** Whatever else a plugin imports is in its bundle. */
function requireBuiltin(id: string): unknown {
  if (isBuiltin(id)) return requireHere(id);
  throw new InputError(`cannot import ${id}: of awesim a plugin takes types only, with "import type"`);
}
