import {
  hasImages,
  type ImageFile,
  isImageFile,
  pictureFile,
  renderAddress,
  type SnippetRequest,
  type SnippetValue,
  TOKEN_VARIABLE,
} from "./snippet.ts";

/** How a language writes values. */
export type Notation = {
  /** The start of an entry, such as `"title": `. */
  key: (name: string) => string;
  /** The delimiters of an object inside the body. */
  braces: [open: string, close: string];
  /** An object without entries, if its delimiters alone are something else. */
  emptyObject?: string;
  /** The delimiters of an array, if they are not square brackets. */
  brackets?: [open: string, close: string];
  string: (text: string) => string;
  /** An expression for the `data:` URL of an image. */
  image: (image: ImageFile) => string;
  /** Booleans, if they are not `true` and `false`. */
  boolean?: (value: boolean) => string;
  /** A missing value, if it is not `null`. */
  none?: string;
  indent: string;
  /** The end of the last entry of an object. */
  lastComma: "," | "";
};

/** A longer array or object has a line for each of its entries. */
const LINE_CHARS = 72;

/** An array or an object inside a field. */
function nested([open, close]: [string, string], entries: string[], { indent, lastComma }: Notation): string {
  const line = `${open}${entries.join(", ")}${close}`;
  if (line.length <= LINE_CHARS && !line.includes("\n")) return line;
  const lines = entries.map((entry) => indent + entry.replaceAll("\n", `\n${indent}`));
  return `${open}\n${lines.join(",\n")}${lastComma}\n${close}`;
}

export function expression(value: SnippetValue, notation: Notation): string {
  const { string, image, boolean = String, none = "null", key, braces, brackets = ["[", "]"] } = notation;
  if (value === null) return none;
  if (isImageFile(value)) return image(value);
  if (typeof value === "string") return string(value);
  if (typeof value === "boolean") return boolean(value);
  if (typeof value === "number") return String(value);
  const write = (entry: SnippetValue) => expression(entry, notation);
  if (Array.isArray(value)) return nested(brackets, value.map(write), notation);
  const entries = Object.entries(value).map(([name, entry]) => key(name) + write(entry));
  if (entries.length === 0 && notation.emptyObject !== undefined) return notation.emptyObject;
  return nested(braces, entries, notation);
}

/** The entries of the body, one per line, without the outer braces. */
function bodyLines({ template, variant, data }: SnippetRequest, notation: Notation): string[] {
  const { key, braces, indent, lastComma } = notation;
  const entries: [string, SnippetValue][] = [["template", template]];
  if (variant !== undefined) entries.push(["variant", variant]);
  const plain = entries.map(([name, value]) => `${key(name)}${expression(value, notation)}`);
  const written = Object.entries(data).map(([name, value]) => `${key(name)}${expression(value, notation)}`);
  const fields = written.map((field) => indent + field.replaceAll("\n", `\n${indent}`));
  // PHP would send an empty object as an array.
  const edits =
    fields.length === 0 ? [] : [`${key("data")}${braces[0]}\n${fields.join(",\n")}${lastComma}\n${braces[1]}`];
  return `${[...plain, ...edits].join(",\n")}${lastComma}`.split("\n");
}

/** The parts of a program, in its language. */
export type Parts = {
  /** A comment about the token. Empty if none is needed. */
  tokenComment: string[];
  /** The address of the render route, as a string literal. */
  address: string;
  /** The output file, as a string literal. */
  file: string;
  /** The indented entries of the body. */
  body: (indent: string) => string;
  /** Lines that are included if a token is needed. They get the name of its variable. */
  withToken: (line: (variable: string) => string) => string[];
  /** Lines that are included if images are read from files. */
  withImages: (...lines: string[]) => string[];
};

type Language = {
  /** The start of a comment. */
  comment: string;
  notation: Notation;
  /** How the program writes a string, if the body has another notation. */
  string?: (text: string) => string;
  lines: (parts: Parts) => string[];
};

/** Writes the program that sends a request. */
export function writeProgram(request: SnippetRequest, { comment, notation, string, lines }: Language): string {
  const quote = string ?? notation.string;
  const { origin, needsToken } = request;
  const body = bodyLines(request, notation);
  return lines({
    tokenComment: needsToken ? [`${comment} Create a token at ${origin}/tokens and set ${TOKEN_VARIABLE} to it.`] : [],
    address: quote(renderAddress(request)),
    file: quote(pictureFile(request)),
    body: (indent) => body.map((line) => indent + line).join("\n"),
    withToken: (line) => (needsToken ? [line(TOKEN_VARIABLE)] : []),
    withImages: (...given) => (hasImages(request) ? given : []),
  }).join("\n");
}
