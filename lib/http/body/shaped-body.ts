import type { z } from "zod";
import { readBody } from "./body.ts";
import type { BodyShare } from "./body-budget.ts";
import { parseJsonObject } from "./json.ts";
import { requireJson } from "./media-type.ts";
import { requireShape } from "./shape.ts";

type BodyOptions = { schema: z.ZodType; limitBytes: number; share: BodyShare };

function shaped(bytes: Buffer, schema: z.ZodType): unknown {
  return requireShape({ schema, value: parseJsonObject(bytes), name: "The body" });
}

/**
 * The JSON object that a request brings, as a schema wants it. Content type and encoding come first, then size, JSON and shape.
 * @throws AppError for the first of them that does not hold
 */
export async function readShape(request: Request, { schema, ...allowance }: BodyOptions): Promise<unknown> {
  requireJson(request.headers);
  return shaped(await readBody(request, allowance), schema);
}

/** Like {@link readShape}, where no body at all stands for `{}`, whatever the request says of its type. */
export async function readOptionalShape(request: Request, options: BodyOptions): Promise<unknown> {
  const { schema, ...allowance } = options;
  try {
    requireJson(request.headers);
  } catch (fault) {
    // Not a byte of it is kept: this only asks whether there is one.
    await readBody(request, { ...allowance, limitBytes: 0 }).catch(() => Promise.reject(fault));
    return shaped(Buffer.from("{}"), schema);
  }
  const bytes = await readBody(request, allowance);
  return shaped(bytes.length === 0 ? Buffer.from("{}") : bytes, schema);
}
