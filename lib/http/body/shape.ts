import type { z } from "zod";
import { AppError, type Issue, pointer } from "#lib/errors.ts";
import { ISSUE_LIMIT, QUOTED_CHARS } from "#lib/http/http-limits.ts";
import { nearestName } from "#lib/nearest-name.ts";

/** "1 fault", "3 faults". */
export function faultCount(count: number): string {
  return count === 1 ? "1 fault" : `${count >= ISSUE_LIMIT ? `${ISSUE_LIMIT} or more` : count} faults`;
}

/** A type with its article, for messages: "an array". */
export function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function short(key: string): string {
  return key.length > QUOTED_CHARS ? `${key.slice(0, QUOTED_CHARS)}…` : key;
}

function suggestion(key: string, known: string[]): string {
  if (known.length === 0 || key.length > QUOTED_CHARS) return "";
  const nearest = nearestName(key, known);
  if (nearest !== undefined) return ` Did you mean "${nearest}"?`;
  return ` Want ${known.map((name) => `"${name}"`).join(", ")}.`;
}

const ARTICLES: Record<string, string> = {
  array: "an array",
  object: "an object",
  record: "an object",
  int: "a whole number",
};

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.reduce<string>((path, segment) => pointer(path, short(String(segment))), "");
}

/** Translates one zod issue. Messages never quote a value, which may be a password. */
function translate(issue: z.core.$ZodIssue, known: string[]): Issue[] {
  const path = pathOf(issue);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, ISSUE_LIMIT).map((key) => ({
        path: pointer(path, short(key)),
        code: "unknown_field",
        message: `Unknown field "${short(key)}".${suggestion(key, known)}`,
      }));
    case "invalid_type": {
      const want = ARTICLES[issue.expected] ?? `a ${issue.expected}`;
      if (issue.input === undefined) return [{ path, code: "missing_field", message: `Got nothing, want ${want}.` }];
      return [{ path, code: "invalid_type", message: `Got ${nameOfType(issue.input)}, want ${want}.` }];
    }
    case "too_small": {
      const message = `Got too little, want at least ${unit(issue.minimum, issue.origin)}.`;
      return [{ path, code: "too_small", message }];
    }
    case "too_big": {
      const message = `Got too much, want at most ${unit(issue.maximum, issue.origin)}.`;
      return [{ path, code: "too_big", message }];
    }
    case "invalid_value": {
      const wanted = issue.values.map((option) => JSON.stringify(option)).join(" or ");
      return [{ path, code: "invalid_value", message: `Got another value, want ${wanted}.` }];
    }
    case "invalid_format":
      return [
        { path, code: "invalid_format", message: `Got a text of another form, want ${formatName(issue.format)}.` },
      ];
    case "custom":
      return [{ path, code: String(issue.params?.code ?? issue.code), message: issue.message }];
    default:
      return [{ path, code: issue.code, message: issue.message }];
  }
}

function formatName(format: string): string {
  return format === "uuid" ? "an id, which is a UUID" : `a valid ${format}`;
}

function unit(count: number | bigint, origin: string): string {
  const name = origin === "string" ? "character" : origin === "array" ? "element" : "";
  return name === "" ? String(count) : `${count} ${name}${Number(count) === 1 ? "" : "s"}`;
}

type ShapeOptions<S extends z.ZodType> = {
  schema: S;
  value: unknown;
  /** The subject of messages: "The body". */
  name: string;
};

/** Parses a value with a schema. @throws AppError `invalid_request` with every fault, up to {@link ISSUE_LIMIT} */
export function requireShape<S extends z.ZodType>({ schema, value, name }: ShapeOptions<S>): z.infer<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const known = "shape" in schema ? Object.keys(schema.shape as object) : [];
  const issues = result.error.issues.flatMap((issue) => translate(issue, issue.path.length === 0 ? known : []));
  const bounded = issues.slice(0, ISSUE_LIMIT);
  throw new AppError("invalid_request", `${name} has ${faultCount(bounded.length)}.`, { issues: bounded });
}
