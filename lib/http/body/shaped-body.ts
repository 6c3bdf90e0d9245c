import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { BODY_LIMIT_BYTES, JSON_NODE_LIMIT, QUOTED_CHARS, SMALL_JSON_NODE_LIMIT } from "#lib/http/http-limits.ts";
import { readBody } from "./body.ts";
import type { BodyShare } from "./body-budget.ts";
import { parseJsonObject } from "./json.ts";
import { requireShape } from "./shape.ts";

/** RFC 9110: the type and a parameter's name ignore case, the value may be quoted, blanks are allowed only around `;`. */
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

function quoted(value: string | null): string {
  return value === null ? "none" : JSON.stringify(value.slice(0, QUOTED_CHARS));
}

/** Requires uncompressed JSON in UTF-8. @throws AppError `unsupported_media_type` */
export function requireJson(headers: Headers): void {
  const type = headers.get("content-type");
  if (type === null || !JSON_TYPE.test(type.trim())) {
    throw new AppError("unsupported_media_type", `Got the content type ${quoted(type)}, want "application/json".`);
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", `Got the content encoding ${quoted(encoding)}, want none.`);
  }
}

type BodyOptions = { schema: z.ZodType; limitBytes: number; share: BodyShare };

function parseShape(bytes: Buffer, { schema, limitBytes }: Pick<BodyOptions, "schema" | "limitBytes">): unknown {
  const name = "The body";
  const nodeLimit = limitBytes > BODY_LIMIT_BYTES ? JSON_NODE_LIMIT : SMALL_JSON_NODE_LIMIT;
  return requireShape({ schema, value: parseJsonObject(bytes, name, nodeLimit), name });
}

/**
 * Reads the JSON object of a request and parses it with a schema. The order is content type and encoding, size, JSON, shape.
 * @throws AppError for the first check that fails
 */
export async function readShape(request: Request, options: BodyOptions): Promise<unknown> {
  requireJson(request.headers);
  return parseShape(await readBody(request, options), options);
}

/** Like {@link readShape}, but an empty body counts as `{}`, whatever its content type. */
export async function readOptionalShape(request: Request, options: BodyOptions): Promise<unknown> {
  try {
    requireJson(request.headers);
  } catch (fault) {
    // With a limit of 0, nothing is kept: the read only finds out whether there is a body.
    await readBody(request, { ...options, limitBytes: 0 }).catch(() => Promise.reject(fault));
    return parseShape(Buffer.from("{}"), options);
  }
  const bytes = await readBody(request, options);
  return parseShape(bytes.length === 0 ? Buffer.from("{}") : bytes, options);
}
