import { isUtf8 } from "node:buffer";
import { AppError } from "#lib/errors.ts";
import { scanJson } from "./json-scan.ts";
import { faultCount, nameOfType } from "./words.ts";

/** The shape that every body has before its own schema is asked. */
export type JsonObject = Record<string, unknown>;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What the parser says of the place, without what it quotes of the text. */
function placeOf(error: unknown): string {
  const place = error instanceof Error ? /\(line (\d+) column (\d+)\)/.exec(error.message) : null;
  return place ? `, from line ${place[1]}, column ${place[2]} on` : "";
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new AppError("invalid_json", `The body is not JSON${placeOf(error)}.`);
  }
}

/**
 * The object that a body spells, in which no key repeats or is poisoned and every text is well-formed.
 * @throws AppError `invalid_json` for what is not JSON in UTF-8, `invalid_request` for other JSON than that
 */
export function parseJsonObject(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw new AppError("invalid_json", "Got an empty body, want a JSON object.");
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) {
    throw new AppError("invalid_json", "The body starts with a byte order mark, which JSON has not.");
  }
  if (!isUtf8(bytes)) throw new AppError("invalid_json", "The body is not UTF-8.");
  const issues = scanJson(bytes);
  const value = parse(bytes);
  if (issues.length > 0) {
    throw new AppError("invalid_request", `The body has ${faultCount(issues.length)}.`, { issues });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `Got ${nameOfType(value)}, want a JSON object.`;
    throw new AppError("invalid_request", message, { issues: [{ path: "", code: "invalid_type", message }] });
  }
  return value as JsonObject;
}
