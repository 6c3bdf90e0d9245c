import { AppError } from "#lib/errors.ts";
import { QUOTED_CHARS } from "#lib/http/http-limits.ts";

/** RFC 9110: the type and a parameter's name ignore case, the value may be quoted, blanks are allowed only around `;`. */
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

function quoted(value: string | null): string {
  return value === null ? "none" : JSON.stringify(value.slice(0, QUOTED_CHARS));
}

/** Lets through JSON that is neither compressed nor in another character set. @throws AppError `unsupported_media_type` */
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
