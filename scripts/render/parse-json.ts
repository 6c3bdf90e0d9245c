import { scanJson } from "#lib/http/body/json-scan.ts";
import { JSON_NODE_LIMIT } from "#lib/http/http-limits.ts";

/** Thrown for JSON that the service would refuse, although `JSON.parse` takes it. The message tells every fault. */
export class JsonRefused extends Error {}

/**
 * Parses JSON as the service does: of a key that occurs twice, `JSON.parse` takes the last value and forgets the other one.
 * @throws SyntaxError for a text that is not JSON
 * @throws JsonRefused for a key that occurs twice, and whatever else the service refuses
 * @throws AppError for JSON that is too deep or holds too many values
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const faults = scanJson(text, JSON_NODE_LIMIT).map(({ path, message }) => `${path} ${message}`);
  if (faults.length > 0) throw new JsonRefused(faults.join("\n"));
  return value;
}
