import { bodyLines, type Notation } from "./literal-lines.ts";
import { hasImages, pictureFile, renderAddress, type SnippetRequest, TOKEN_VARIABLE } from "./snippet.ts";

/** What every program has to say, as its language writes it. */
export type Parts = {
  /** Where a token is made, as a comment. No line where none is needed. */
  tokenComment: string[];
  /** The route that draws, as a string. */
  address: string;
  /** The file that the picture is kept in, as a string. */
  file: string;
  /** The entries of the body, a line each, moved to the right by so much. */
  body: (indent: string) => string;
  /** Lines that are there where a token is needed, made of the variable that it is read from. */
  withToken: (line: (variable: string) => string) => string[];
  /** Lines that are there where images are read from files. */
  withImages: (...lines: string[]) => string[];
};

type Language = {
  /** What begins a comment. */
  comment: string;
  notation: Notation;
  /** How the program itself writes a string, where that is not how the body does. */
  string?: (text: string) => string;
  lines: (parts: Parts) => string[];
};

/** The program that makes a request, in a language. */
export function writeProgram(request: SnippetRequest, { comment, notation, string, lines }: Language): string {
  const quote = string ?? notation.string;
  const { origin, needsToken } = request;
  const body = bodyLines(request, notation);
  return lines({
    tokenComment: needsToken ? [`${comment} Make a token at ${origin}/tokens and set ${TOKEN_VARIABLE} to it.`] : [],
    address: quote(renderAddress(request)),
    file: quote(pictureFile(request)),
    body: (indent) => body.map((line) => indent + line).join("\n"),
    withToken: (line) => (needsToken ? [line(TOKEN_VARIABLE)] : []),
    withImages: (...given) => (hasImages(request) ? given : []),
  }).join("\n");
}
