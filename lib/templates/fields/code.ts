import { z } from "zod";
import { isObject } from "#lib/json-kinds.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { CODE_LANGUAGES, type CodeLine, PLAIN_CODE } from "../drawings/code-languages.ts";
import { highlightCode } from "../drawings/highlight.ts";
import { SlowCode } from "../drawings/thread-time.ts";
import { refuse, show, unknownKeys, type ValueFault, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";
import { lengthOf, marksFault, textField } from "./text.ts";

/** The longest code, in characters. A thread colours it in well under a second, apart from lines that are made to take long. */
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

/** A value as it is given, without a look into the code. `at` are the keys of the code in it. */
type Request = { text: unknown; language: unknown; marks: unknown; at: string[]; faults: ValueFault[] };

const WANTED = 'code as a string, or as { "text", "language", "lines" }';

function readKeys(value: unknown, { language: declared }: CodeDeclaration): Request | { fault: ValueFault } {
  if (typeof value === "string") return { text: value, language: declared, marks: "", at: [], faults: [] };
  if (!isObject(value)) return wrongType(value, WANTED);
  const { text, language = declared, lines = "" } = value;
  const faults = unknownKeys(value, { known: ["text", "language", "lines"], code: "invalid_code" });
  return { text, language, marks: lines, at: ["text"], faults };
}

function languageFault(language: unknown): ValueFault | undefined {
  if (typeof language === "string" && LANGUAGES.includes(language)) return undefined;
  const nearest = typeof language === "string" ? nearestName(language, [...LANGUAGES]) : undefined;
  const wanted = nearest === undefined ? `one of ${LANGUAGES.join(", ")}` : `"${nearest}"`;
  const message = `Got the language ${show(language)}, want ${wanted}.`;
  return { code: "invalid_language", message, at: ["language"] };
}

/** Reads lines such as `2, 5-7`. @param count the lines of the code, as far as it could be read */
function readMarks(marks: unknown, count = MAX_CODE_LINES): Set<number> | ValueFault {
  const at = ["lines"];
  const fault = (message: string): ValueFault => ({ code: "invalid_lines", message, at });
  if (typeof marks !== "string")
    return { ...wrongType(marks, 'the marked lines as a string such as "2, 5-7"').fault, at };
  if (marks.length > MAX_MARKS_LENGTH)
    return fault(`Got ${marks.length} characters of lines, want at most ${MAX_MARKS_LENGTH}.`);
  const numbers = new Set<number>();
  for (const part of marks.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [, first = "", last = first] = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to < from || to > count)
      return fault(`Got the lines ${show(part)}, want numbers from 1 to ${count} such as "2, 5-7".`);
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

/** Reads the code itself, in the form in which it is drawn. */
function readText(text: unknown, { maxLength, maxLines }: CodeDeclaration): string | ValueFault {
  if (typeof text !== "string") return wrongType(text, "the code as a string in text").fault;
  const length = lengthOf(text, maxLength);
  if (length > maxLength) return { code: "too_long", message: `Got ${length} characters, want at most ${maxLength}.` };
  if (!text.isWellFormed())
    return { code: "invalid_text", message: "Got half of a surrogate pair, want whole characters." };
  const tidied = tidy(text);
  if (STRANGE.test(tidied)) {
    const message = "Got a control character or an override of the direction, want code without them.";
    return { code: "invalid_text", message };
  }
  const count = tidied.split("\n").length;
  if (count > maxLines) return { code: "too_long", message: `Got ${count} lines, want at most ${maxLines}.` };
  return marksFault(tidied) ?? tidied;
}

const SLOW: ValueFault = {
  code: "invalid_code",
  message: `Got code whose colours take too long to find, want other lines, or the language "${PLAIN_CODE}", which has none.`,
};

async function read(value: unknown, declaration: CodeDeclaration, signal?: AbortSignal) {
  const request = readKeys(value, declaration);
  if ("fault" in request) return request;
  const { language, at } = request;
  const text = readText(request.text, declaration);
  const isText = typeof text === "string";
  // Which lines there are is known only where there is code.
  const marked = readMarks(request.marks, isText && text !== "" ? text.split("\n").length : undefined);
  const isMarked = marked instanceof Set;
  const found = [isText ? undefined : { ...text, at }, languageFault(language), isMarked ? undefined : marked];
  const refused = refuse([...found.filter((fault) => fault !== undefined), ...request.faults]);
  if (refused) return refused;
  if (!isText || !isMarked || text === "") return { value: null };
  const lines = await highlightCode(text, String(language), signal).catch((error: unknown) => {
    if (error instanceof SlowCode) return undefined;
    throw error;
  });
  if (!lines) return { fault: { ...SLOW, at } };
  return {
    value: {
      text,
      language: String(language),
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
