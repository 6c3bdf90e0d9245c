import { z } from "zod";
import { nearestName } from "#lib/nearest-name.ts";
import { CODE_LANGUAGES, type CodeLine, PLAIN_CODE } from "../drawings/code-languages.ts";
import { highlightCode } from "../drawings/highlight.ts";
import { commonDeclaration, type FieldType, show, type ValueFault, wrongType } from "./field-type.ts";
import { lengthOf, textField } from "./text.ts";

/** The longest code, in characters. A thread colours it in well under a second, whatever it is. */
const MAX_CODE_LENGTH = 5_000;
const MAX_CODE_LINES = 200;

/** The longest list of marked lines, in characters: more than naming each of the most lines takes. */
const MAX_MARKS_LENGTH = 1_000;

const LANGUAGES = [PLAIN_CODE, ...Object.keys(CODE_LANGUAGES)] as const;

export const codeDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("code"),
  /** Counted in Unicode characters. */
  maxLength: z.number().int().min(1).max(MAX_CODE_LENGTH).default(2_000),
  maxLines: z.number().int().min(1).max(MAX_CODE_LINES).default(60),
  /** The language of a value that names none. */
  language: z.enum(LANGUAGES as unknown as [string, ...string[]]).default(PLAIN_CODE),
});

export type CodeDeclaration = z.infer<typeof codeDeclaration>;

type CodeValue = { text: string; language: string; lines: CodeLine[] };

type Request = { text: string; language: string; marks: string };

function fault(code: string, message: string): { fault: ValueFault } {
  return { fault: { code, message } };
}

const WANTED = 'code as a string, or as { "text", "language", "lines" }';

/** Reads the keys of a value, without looking into the code. */
function readKeys(value: unknown, declaration: CodeDeclaration): Request | { fault: ValueFault } {
  if (typeof value === "string") return { text: value, language: declaration.language, marks: "" };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrongType(value, WANTED);
  const { text, language = declaration.language, lines = "", ...rest } = value as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return fault("invalid_code", `Got the key ${show(unknown)}, want ${WANTED}.`);
  if (typeof text !== "string") return wrongType(text, "the code as a string in text");
  if (typeof lines !== "string") return wrongType(lines, 'the marked lines as a string such as "2, 5-7"');
  if (typeof language !== "string" || !LANGUAGES.includes(language)) {
    const nearest = typeof language === "string" ? nearestName(language, [...LANGUAGES]) : undefined;
    const wanted = nearest === undefined ? `one of ${LANGUAGES.join(", ")}` : `"${nearest}"`;
    return fault("invalid_language", `Got the language ${show(language)}, want ${wanted}.`);
  }
  return { text, language, marks: lines };
}

/** Reads lines such as `2, 5-7`. */
function readMarks(marks: string, count: number): Set<number> | { fault: ValueFault } {
  if (marks.length > MAX_MARKS_LENGTH)
    return fault("invalid_lines", `Got ${marks.length} characters of lines, want at most ${MAX_MARKS_LENGTH}.`);
  const numbers = new Set<number>();
  for (const part of marks.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [, first = "", last = first] = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to < from || to > count)
      return fault("invalid_lines", `Got the lines ${show(part)}, want numbers from 1 to ${count} such as "2, 5-7".`);
    for (let line = from; line <= to; line++) numbers.add(line);
  }
  return numbers;
}

/** Tabs have the width of two spaces. Every other control character draws nothing. */
function tidy(text: string): string {
  const lines = text
    .normalize("NFC")
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", "  ")
    .split("\n");
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

/** Direction overrides show code in another order than it runs in (CVE-2021-42574). */
const STRANGE = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

async function read(value: unknown, declaration: CodeDeclaration, signal?: AbortSignal) {
  const request = readKeys(value, declaration);
  if ("fault" in request) return request;
  const { maxLength, maxLines } = declaration;
  const length = lengthOf(request.text, maxLength);
  if (length > maxLength) return fault("too_long", `Got ${length} characters, want at most ${maxLength}.`);
  if (!request.text.isWellFormed())
    return fault("invalid_text", "Got half of a surrogate pair, want whole characters.");
  const text = tidy(request.text);
  if (text === "") return { value: null };
  if (STRANGE.test(text))
    return fault("invalid_text", "Got a control character or an override of the direction, want code without them.");
  const count = text.split("\n").length;
  if (count > maxLines) return fault("too_long", `Got ${count} lines, want at most ${maxLines}.`);
  const marked = readMarks(request.marks, count);
  if ("fault" in marked) return marked;
  const lines = await highlightCode(text, request.language, signal);
  return {
    value: {
      text,
      language: request.language,
      lines: lines.map((tokens, index) => ({ number: index + 1, marked: marked.has(index + 1), tokens })),
    },
  };
}

function holding(text: string): CodeValue {
  const lines: CodeLine[] = [{ number: 1, marked: false, tokens: [{ text, kind: "plain" }] }];
  return { text, language: PLAIN_CODE, lines };
}

export const codeField: FieldType<CodeDeclaration, CodeValue | null> = {
  read: (value, declaration, { signal }) => read(value, declaration, signal),
  jsonSchema: ({ maxLength }) => ({
    oneOf: [
      { type: "string", maxLength },
      {
        type: "object",
        additionalProperties: false,
        required: ["text"],
        properties: {
          text: { type: "string", maxLength },
          language: { type: "string", enum: [...LANGUAGES] },
          lines: { type: "string", maxLength: MAX_MARKS_LENGTH, description: 'The lines to mark, such as "2, 5-7".' },
        },
      },
    ],
  }),
  sample: () => holding("x"),
  holding,
  hostile: textField.hostile.map(holding),
};
