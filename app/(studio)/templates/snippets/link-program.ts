import { canonicalJson } from "#lib/links/canonical-json.ts";
import { LINK_ROOT, PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { expression, type Notation } from "./program.ts";
import { hasImages, isImageFile, type SnippetRequest, type SnippetValue } from "./snippet.ts";

/** The environment variable of the key, which is one of those in `SERVICE_LINK_KEYS`. */
export const LINK_KEY_VARIABLE = "PLATEN_LINK_KEY";

/** Characters that JSON libraries of several languages escape in other ways than canonical JSON. */
const ESCAPED_DIFFERENTLY = /[\b\f\u007f\u2028\u2029]/;

/** The largest integer and the range of fractions that every language writes like JavaScript. */
function isCommonNumber(value: number): boolean {
  const size = Math.abs(value);
  return Number.isInteger(value) ? size <= Number.MAX_SAFE_INTEGER : size >= 1e-4 && size < 1e15;
}

/** Whether the JSON library of every language writes the value as canonical JSON. */
function isCommon(value: SnippetValue): boolean {
  if (typeof value === "string") return !ESCAPED_DIFFERENTLY.test(value);
  if (typeof value === "number") return isCommonNumber(value);
  return typeof value !== "object" || value === null || Object.values<SnippetValue>(value).every(isCommon);
}

/** Sorts keys at every level, for languages that keep the order of the code. */
function sorted(value: SnippetValue): SnippetValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || isImageFile(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

type Payload = { data?: Record<string, SnippetValue>; template: string; variant?: string };

function payloadOf({ template, variant, data }: SnippetRequest): Payload {
  const edits = sorted(data) as Record<string, SnippetValue>;
  return { ...(Object.keys(data).length > 0 && { data: edits }), template, ...(variant !== undefined && { variant }) };
}

/** The reason why no link can draw a request. */
export function linkFault(request: SnippetRequest): "image" | "long" | undefined {
  if (hasImages(request)) return "image";
  const bytes = new TextEncoder().encode(canonicalJson(payloadOf(request))).length;
  return Math.ceil((bytes * 4) / 3) > PAYLOAD_CHARS ? "long" : undefined;
}

/** The entries of the payload, one per line, without the outer braces. */
function payloadLines(payload: Payload, notation: Notation): string[] {
  const { key, braces, indent, lastComma } = notation;
  const entries = Object.entries(payload).map(([name, value]) => {
    if (name !== "data") return `${key(name)}${expression(value, notation)}`;
    const fields = Object.entries(value as Record<string, SnippetValue>).map(([field, edit]) =>
      `${indent}${key(field)}${expression(edit, notation)}`.replaceAll("\n", `\n${indent}`),
    );
    return `${key(name)}${braces[0]}\n${fields.join(",\n")}${lastComma}\n${braces[1]}`;
  });
  return `${entries.join(",\n")}${lastComma}`.split("\n");
}

/** The parts of a program that signs a link, in its language. */
type LinkParts = {
  /** Comments about the key. */
  keyComment: string;
  /** The beginning of the address, as a string literal. */
  address: string;
  /** The canonical JSON as a string literal, if the values are such that a library may write them otherwise. */
  text: string | undefined;
  /** The indented entries of the payload, with keys in canonical order. */
  body: (indent: string) => string;
};

type LinkLanguage = { comment: string; notation: Notation; lines: (parts: LinkParts) => string[] };

/** Writes the program that signs a link to a picture, and prints it. */
export function writeLink(request: SnippetRequest, { comment, notation, lines }: LinkLanguage): string {
  const payload = payloadOf(request);
  const body = payloadLines(payload, notation);
  return lines({
    keyComment: `${comment} Set ${LINK_KEY_VARIABLE} to a key of the service's SERVICE_LINK_KEYS, such as web:0f1e…`,
    address: notation.string(request.origin + LINK_ROOT.slice(0, -1)),
    text: isCommon(payload as SnippetValue) ? undefined : notation.string(canonicalJson(payload)),
    body: (indent) => body.map((line) => indent + line).join("\n"),
  }).join("\n");
}
