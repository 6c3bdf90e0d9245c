import { z } from "zod";
import type { RemoteImages } from "#lib/images/fetch-image.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { TextSettings } from "#lib/type/text/runs.ts";

/** At most this many unknown keys of a value are named. */
const MAX_UNKNOWN_KEYS = 10;

/** The most faults of one value, as many as a response lists. */
const MAX_FAULTS = 100;

/** How much of an unknown key is in its path, in characters. */
const KEY_CHARS = 60;

/** The keys that a declaration of any type has in `template.json`. */
export const commonDeclaration = {
  label: z.string().min(1).max(60),
  description: z.string().max(300).optional(),
  /** Whether a value is required. An empty optional field leaves its part of the picture out. */
  required: z.boolean().default(false),
  /** The value where neither the request nor the variant has one. */
  default: z.unknown().optional(),
};

/** A fault of one value. The caller adds its path. `at` are the keys of the part at fault, in a value that is an object. */
export type ValueFault = { code: string; message: string; at?: string[] };

/** A value in the form for Liquid, or its faults. A warning says that the value replaces the requested one. */
export type ReadResult<Value> = { value: Value; warning?: ValueFault } | { fault: ValueFault; more?: ValueFault[] };

/** An image of known size. It is decoded only if the pixel budget of the request allows it. */
export type OpenedValue<Value> = { pixels: number; finish(): Promise<ReadResult<Value>> };

/** What reading a value may need beside the value and its declaration. */
export type ReadContext = {
  /** Aborts when the result is no longer needed. */
  signal?: AbortSignal | undefined;
  /** How to fetch images given by address. Without it, addresses are refused. */
  remote?: RemoteImages | undefined;
};

/** How a document writes its texts, and the colours of its fields. */
export type PresentSettings = TextSettings & {
  /** The colour of a field as a viewer sees it. */
  colorOf?(name: string): unknown;
};

export type JsonSchema = Record<string, unknown>;

/**
 * One type of field. To add a type, add a file beside this one and its lines in `field-types.ts`. Validation, the escape check and
 * the API description follow from it. `docs/architecture.md` lists everything else that a new type concerns.
 */
export type FieldType<Declaration, Value> = {
  /** Checks a value of a request or a variant. It returns faults, and throws only the signal's reason. */
  read(
    value: unknown,
    declaration: Declaration,
    context: ReadContext,
  ): ReadResult<Value> | Promise<ReadResult<Value> | OpenedValue<Value>>;
  /**
   * What Liquid gets for a value, once the language of the document is known. Without it, Liquid gets the value itself.
   * Values that are kept are JSON, and this is not.
   */
  present?(value: Value, declaration: Declaration, settings: PresentSettings): unknown;
  /** The JSON Schema of what {@link read} accepts. */
  jsonSchema(declaration: Declaration): JsonSchema;
  /** Any value that is not empty, in the form for Liquid. */
  sample(declaration: Declaration): Value;
  /** A value that shows this text. Only types whose values hold free text have it; the escape check looks for the text. */
  holding?(text: string): Value;
  /** Values that try to leave their place in the document. The escape check tries them on every template. */
  hostile: Value[];
};

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

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A fault for every key that a value must not have. `at` are the keys of the value itself. */
export function unknownKeys(
  value: object,
  { known, code, at = [] }: { known: string[]; code: string; at?: string[] },
): ValueFault[] {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  return unknown.slice(0, MAX_UNKNOWN_KEYS).map((key) => {
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
