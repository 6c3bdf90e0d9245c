import { nearestName } from "#lib/nearest-name.ts";

/** At most this many unknown keys of a value are named. */
export const MAX_UNKNOWN_KEYS = 10;

/** The most faults of one value, as many as a response lists. */
const MAX_FAULTS = 100;

/** How much of an unknown key is in its path, in characters. */
const KEY_CHARS = 60;

/** A fault of one value. The caller adds its path. `at` are the keys of the part at fault, in a value that is an object. */
export type ValueFault = { code: string; message: string; at?: string[] };

/** A value in the form for Liquid, or its faults. A warning says that the value replaces the requested one. */
export type ReadResult<Value> = { value: Value; warning?: ValueFault } | { fault: ValueFault; more?: ValueFault[] };

/** Formats a value for a message. */
export function show(value: unknown): string {
  if (typeof value === "string") return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : String(value);
}

/** The fault of a value of the wrong JSON type. */
export function wrongType(value: unknown, wanted: string): { fault: ValueFault } {
  return { fault: { code: "invalid_type", message: `Got ${show(value)}, want ${wanted}.` } };
}

/** A fault for every key that a value must not have, up to `limit`. `at` are the keys of the value itself. */
export function unknownKeys(
  value: object,
  { known, code, at = [], limit = MAX_UNKNOWN_KEYS }: { known: string[]; code: string; at?: string[]; limit?: number },
): ValueFault[] {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  return unknown.slice(0, limit).map((key) => {
    const nearest = nearestName(key, known);
    const wanted = nearest === undefined ? `only ${known.map((name) => `"${name}"`).join(", ")}` : `"${nearest}"`;
    return { code, message: `Got the key ${show(key)}, want ${wanted}.`, at: [...at, key.slice(0, KEY_CHARS)] };
  });
}

/** The result of a value with these faults. Undefined for a value without any. */
export function refuse(faults: ValueFault[]): Extract<ReadResult<never>, { fault: unknown }> | undefined {
  const [fault, ...more] = faults.slice(0, MAX_FAULTS);
  return fault && { fault, ...(more.length > 0 && { more }) };
}
