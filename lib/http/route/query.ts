import type { z } from "zod";
import { AppError, type Issue, pointer } from "#lib/errors.ts";
import { faultCount, requireShape } from "#lib/http/body/shape.ts";
import { ISSUE_LIMIT } from "#lib/http/http-limits.ts";

/** The number of items on all pages of a list. */
export const TOTAL_HEADER = "X-Total-Count";

/** U+0000 passes the schemas, but the database cannot store it. */
function characterFaults(parameters: URLSearchParams): Issue[] {
  return [...parameters].flatMap(([name, value]) => {
    if (!value.includes("\0")) return [];
    const message = "Got the character U+0000, which is not allowed.";
    return { path: pointer("", name), code: "invalid_character", message };
  });
}

/** Parses the query by a schema. A repeated parameter is a list. @throws AppError `invalid_request` */
export function readQuery<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const { searchParams } = new URL(request.url);
  const issues = characterFaults(searchParams).slice(0, ISSUE_LIMIT);
  if (issues.length > 0)
    throw new AppError("invalid_request", `The query has ${faultCount(issues.length)}.`, { issues });
  const pairs = Map.groupBy(searchParams, ([name]) => name);
  const entries = [...pairs].map(([name, given]) => {
    const values = given.map(([, value]) => value);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return requireShape({ schema, value: Object.fromEntries(entries), name: "The query" });
}
