import type { z } from "zod";
import { AppError, type Issue, pointer } from "#lib/errors.ts";
import { ISSUE_LIMIT, QUOTED_CHARS } from "#lib/http/http-limits.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { faultCount, nameOfType } from "./words.ts";

function short(key: string): string {
  return key.length > QUOTED_CHARS ? `${key.slice(0, QUOTED_CHARS)}…` : key;
}

function suggestion(key: string, known: string[]): string {
  if (key.length > QUOTED_CHARS) return "";
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

/** One zod issue in our words. No value is ever quoted: it may be a password. */
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
    case "too_small":
      return [
        {
          path,
          code: "too_small",
          message: `Got less than the smallest allowed, want at least ${unit(issue.minimum, issue.origin)}.`,
        },
      ];
    case "too_big":
      return [
        {
          path,
          code: "too_big",
          message: `Got more than the largest allowed, want at most ${unit(issue.maximum, issue.origin)}.`,
        },
      ];
    case "custom":
      return [{ path, code: String(issue.params?.code ?? issue.code), message: issue.message }];
    default:
      return [{ path, code: issue.code, message: issue.message }];
  }
}

function unit(count: number | bigint, origin: string): string {
  const name = origin === "string" ? "character" : origin === "array" ? "element" : "";
  return name === "" ? String(count) : `${count} ${name}${Number(count) === 1 ? "" : "s"}`;
}

type ShapeOptions<S extends z.ZodType> = {
  schema: S;
  value: unknown;
  /** How a message names the value: "The body". */
  name: string;
};

/** What a schema makes of a value. @throws AppError `invalid_request` with every fault at once */
export function requireShape<S extends z.ZodType>({ schema, value, name }: ShapeOptions<S>): z.infer<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const known = "shape" in schema ? Object.keys(schema.shape as object) : [];
  const issues = result.error.issues.flatMap((issue) => translate(issue, issue.path.length === 0 ? known : []));
  const bounded = issues.slice(0, ISSUE_LIMIT);
  throw new AppError("invalid_request", `${name} has ${faultCount(bounded.length)}.`, { issues: bounded });
}
