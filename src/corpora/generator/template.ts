/**
 * Templates of text: `{name}` stands for a value, `{a name}` for one with its article, `[one|two|]` for one of several
 * wordings, nested as deep as wanted. They are compiled once and filled in many times.
 */
export type Template = readonly Piece[];
type Piece = string | { readonly slot: string; readonly article: boolean } | { readonly choices: readonly Template[] };

const compiled = new Map<string, Template>();

/** Throws when a bracket or brace of the template is left open: an error in the world, not in the user's input. */
export function compile(source: string): Template {
  let template = compiled.get(source);
  if (template === undefined) {
    const parser = { source, at: 0, depth: 0 };
    template = parse(parser);
    if (parser.at < source.length) throw new Error(`a bracket too many in the template "${source}"`);
    compiled.set(source, template);
  }
  return template;
}

/** Fills in a template: `value` gives the words for a slot, `draw` a number in [0, 1) for each choice. */
export function fill(template: Template, value: (slot: string) => string, draw: () => number): string {
  let text = "";
  for (const piece of template) {
    if (typeof piece === "string") text += piece;
    else if ("choices" in piece) {
      text += fill(piece.choices[Math.floor(draw() * piece.choices.length)] ?? [], value, draw);
    } else {
      const words = value(piece.slot);
      text += piece.article ? `${article(words)} ${words}` : words;
    }
  }
  return text;
}

/** "a" or "an", by the first letter; a few words that sound otherwise do not occur in the world. */
function article(words: string): string {
  return "aeiouAEIOU".includes(words.charAt(0)) ? "an" : "a";
}

/** A sentence with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Parser {
  readonly source: string;
  at: number;
  /** How many brackets are open: a bar means a choice only between brackets. */
  depth: number;
}

function parse(parser: Parser): Template {
  const pieces: Piece[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") pieces.push(text);
    text = "";
  };
  while (parser.at < parser.source.length) {
    const letter = parser.source.charAt(parser.at);
    if (letter === "]" || (letter === "|" && parser.depth > 0)) break;
    parser.at++;
    if (letter === "[") {
      flush();
      pieces.push({ choices: parseChoices(parser) });
    } else if (letter === "{") {
      flush();
      const end = parser.source.indexOf("}", parser.at);
      if (end < 0) throw new Error(`an open brace in the template "${parser.source}"`);
      const slot = parser.source.slice(parser.at, end);
      pieces.push(slot.startsWith("a ") ? { slot: slot.slice(2), article: true } : { slot, article: false });
      parser.at = end + 1;
    } else text += letter;
  }
  flush();
  return pieces;
}

function parseChoices(parser: Parser): Template[] {
  const choices: Template[] = [];
  parser.depth++;
  for (;;) {
    choices.push(parse(parser));
    const end = parser.source.charAt(parser.at++);
    if (end === "]") {
      parser.depth--;
      return choices;
    }
    if (end !== "|") throw new Error(`an open bracket in the template "${parser.source}"`);
  }
}
