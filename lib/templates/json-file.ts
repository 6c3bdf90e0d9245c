import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { z } from "zod";
import { tellFirst } from "./faults/first-faults.ts";
import { describeSchemaFault, singleFaults } from "./faults/schema-faults.ts";
import type { FileFault } from "./template.ts";
import { lineAt } from "./template-files.ts";

function repeatedKeys(node: Node): Node[] {
  const children = node.children ?? [];
  const keys = node.type === "object" ? children.flatMap((property) => property.children?.[0] ?? []) : [];
  const seen = new Set<string>();
  const repeated = keys.filter(({ value }) => seen.size === seen.add(value).size);
  return [...repeated, ...children.flatMap(repeatedKeys)];
}

/** Levels of nesting. A template needs about ten, and the parser overflows the stack at some thousands. */
const MAX_DEPTH = 100;

/** Finds the first bracket that opens too many levels. */
function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const token = text.charAt(scanner.getTokenOffset());
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

/** A parsed JSON file that can tell the line of each value. */
export type JsonFile<T> = { value: T; lineOf(path: PropertyKey[]): number };

/** Finds the value at a path, or the innermost existing value around it. */
function nearestNode(root: Node, path: PropertyKey[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length) as (string | number)[]);
    if (node) return node;
  }
  return root;
}

/** Leaves out `$schema`, with which a file names the schema that editors follow. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema, ...rest } = value as Record<string, unknown>;
  return $schema === undefined || typeof $schema === "string" ? rest : value;
}

/** What the parser of JSON wanted at a place, by its own name for the fault. */
const WANTED: Record<string, string> = {
  CloseBraceExpected: "a closing }",
  CloseBracketExpected: "a closing ]",
  ColonExpected: "a colon after the name",
  CommaExpected: "a comma before this",
  EndOfFileExpected: "nothing after the closing bracket",
  InvalidCharacter: "the escape of a control character, such as \\n for a line break",
  InvalidCommentToken: "no comments",
  InvalidEscapeCharacter: "\\\\ for a backslash",
  InvalidNumberFormat: "a number such as 0.5",
  InvalidSymbol: "text in straight double quotes, a number, true, false or null",
  InvalidUnicode: "four hexadecimal digits after \\u",
  PropertyNameExpected: "a name in double quotes here, and no comma after the last one",
  UnexpectedEndOfNumber: "a number such as 0.5",
  UnexpectedEndOfString: "a closing double quote in the same line",
  ValueExpected: "a value here, and no comma after the last one",
};

/** The first fault alone: the parser reports several for one missing character, and those after it follow from it. */
function syntaxFault(file: string, text: string, { offset, error }: ParseError): FileFault {
  const wanted = WANTED[printParseErrorCode(error)] ?? "JSON";
  return { file, line: lineAt(text, offset), reason: `The file is not valid JSON: want ${wanted}.` };
}

type ReadJson<T extends z.ZodType> = { file: string; text: string; schema: T };

/** Parses a JSON file and checks it against a schema. Every fault has a line. */
export function readJson<T extends z.ZodType>({
  file,
  text,
  schema,
}: ReadJson<T>): JsonFile<z.infer<T>> | { faults: FileFault[] } {
  const deep = tooDeep(text);
  if (deep !== undefined) {
    const reason = `Got more than ${MAX_DEPTH} levels of brackets, want fewer.`;
    return { faults: [{ file, line: lineAt(text, deep), reason }] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (!root || errors.length > 0) {
    const [first] = errors;
    const isEmpty = text.trim() === "" || first === undefined;
    return {
      faults: [isEmpty ? { file, line: 1, reason: "Got an empty file, want JSON." } : syntaxFault(file, text, first)],
    };
  }
  const repeated = repeatedKeys(root);
  if (repeated.length > 0) {
    const describe = (key: Node) => {
      const reason = `Got the key "${key.value}" twice, want it once.`;
      return { file, line: lineAt(text, key.offset), reason };
    };
    return { faults: tellFirst(repeated, describe) };
  }
  const lineOf = (path: PropertyKey[]) => lineAt(text, nearestNode(root, path).offset);
  const value = withoutSchema(getNodeValue(root));
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, lineOf };
  return {
    faults: tellFirst(singleFaults(result.error.issues, value), (issue) => ({
      file,
      line: lineOf(issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys] : issue.path),
      reason: `${issue.path.join(".") || "The file"}: ${describeSchemaFault(issue, { schema, value })}`,
    })),
  };
}
