import { isUtf8 } from "node:buffer";
import { AppError } from "#lib/errors.ts";
import { JSON_NODE_LIMIT } from "#lib/http/http-limits.ts";
import { scanJson } from "./json-scan.ts";
import { faultCount, nameOfType } from "./shape.ts";

/** A parsed body before its schema is applied. */
export type JsonObject = Record<string, unknown>;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Where the parser stopped. The rest of its message quotes the text, which may hold a password. */
function placeOf(error: unknown): string {
  const place = error instanceof Error ? /\(line (\d+) column (\d+)\)/.exec(error.message) : null;
  return place ? `, see line ${place[1]}, column ${place[2]}` : "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid_json", `The body is not JSON${placeOf(error)}.`);
  }
}

/**
 * The JSON object in a body, or in what `name` says. No key is repeated or poisoned, and every string is well-formed.
 * @throws AppError `invalid_json` where the body is not JSON in UTF-8, `invalid_request` where it is JSON but not such an object
 */
export function parseJsonObject(bytes: Buffer, name = "The body", nodeLimit = JSON_NODE_LIMIT): JsonObject {
  if (bytes.length === 0) throw new AppError("invalid_json", "Got an empty body, want a JSON object.");
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) {
    throw new AppError("invalid_json", "The body starts with a byte order mark, which is not part of JSON.");
  }
  if (!isUtf8(bytes)) throw new AppError("invalid_json", "The body is not UTF-8.");
  const text = bytes.toString("utf8");
  const issues = scanJson(text, nodeLimit);
  const value = parse(text);
  if (issues.length > 0) {
    throw new AppError("invalid_request", `${name} has ${faultCount(issues.length)}.`, { issues });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `Got ${nameOfType(value)}, want a JSON object.`;
    throw new AppError("invalid_request", message, { issues: [{ path: "", code: "invalid_type", message }] });
  }
  return value as JsonObject;
}
