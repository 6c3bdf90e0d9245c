import type { z } from "zod";
import { requireShape } from "#lib/http/shape.ts";

/** The parameters of an address, as a schema wants them. One that is given twice is a list. @throws AppError `invalid_request` */
export function readQuery<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const { searchParams } = new URL(request.url);
  const names = [...new Set(searchParams.keys())];
  const entries = names.map((name) => {
    const values = searchParams.getAll(name);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return requireShape({ schema, value: Object.fromEntries(entries), name: "The query" });
}
