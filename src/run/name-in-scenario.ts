import { InputError } from "../errors.ts";
import type { LoadedScenario } from "../scenario/load.ts";

type Path = Parameters<LoadedScenario["place"]>[0];

/** What a name in a scenario stands for. An InputError about the name alone is told with the place where it was given. */
export async function namedInScenario<T>(loaded: LoadedScenario, path: Path, find: () => T | Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    const isAboutName = error instanceof InputError && Object.keys(error.where).length === 0;
    throw isAboutName ? new InputError(error.message, loaded.place(path)) : error;
  }
}
