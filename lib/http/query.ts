import type { z } from "zod";
import { requireShape } from "#lib/http/shape.ts";

/** How many there are on all pages of what an answer holds one of. */
export const TOTAL_HEADER = "X-Total-Count";

/** The parameters of an address, as a schema wants them. One that is given twice is a list. @throws AppError `invalid_request` */
export function readQuery<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  // Grouped in one pass: an address holds thousands of parameters.
  const pairs = Map.groupBy(new URL(request.url).searchParams, ([name]) => name);
  const entries = [...pairs].map(([name, given]) => {
    const values = given.map(([, value]) => value);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return requireShape({ schema, value: Object.fromEntries(entries), name: "The query" });
}
