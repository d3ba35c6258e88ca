/** A file of a run is not what was written. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";

  /** @param line null where the whole file is meant */
  constructor(file: string, line: number | null, what = "this line is damaged") {
    super(`${line === null ? file : `${file}:${line}`}: ${what}`);
  }
}
