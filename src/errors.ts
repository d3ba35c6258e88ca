/**
 * Input that awesim cannot use: a scenario, corpus, option or file of the user's. The command line prints the
 * message as one line and exits with code 2; nothing else about the error is shown.
 *
 * The message says what was expected, what came, where, and what to do. `where` is a file, a line, a field:
 * whatever helps to find the place; it is put in front of the message.
 */
export class InputError extends Error {
  override readonly name = "InputError";

  constructor(
    message: string,
    readonly where: { file?: string; line?: number; field?: string } = {},
  ) {
    const place = [
      where.file === undefined ? "" : where.line === undefined ? where.file : `${where.file}:${where.line}`,
      where.field ?? "",
    ].filter((part) => part !== "");
    super(place.length === 0 ? message : `${place.join(": ")}: ${message}`);
  }
}
