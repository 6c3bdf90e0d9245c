import { z } from "zod";
import type { RemoteImages } from "#lib/images/fetch-image.ts";

/** What every declaration in `template.json` has, whatever its type. */
export const commonDeclaration = {
  label: z.string().min(1).max(60),
  description: z.string().max(300).optional(),
  /** Whether the field may not be empty. An optional field that is empty leaves its part of the picture out. */
  required: z.boolean().default(false),
  /** What the field holds where neither the request nor the variant says. */
  default: z.unknown().optional(),
};

/** What is wrong with one value. The caller adds where it is. */
export type ValueFault = { code: string; message: string };

/** A value in the form that Liquid gets, or what is wrong with it. A warning tells of a value that is not what was asked for. */
export type ReadResult<Value> = { value: Value; warning?: ValueFault } | { fault: ValueFault };

/** An image whose size is known, and which is decoded only if there is room for it beside the request's others. */
export type OpenedValue<Value> = { pixels: number; finish(): Promise<ReadResult<Value>> };

/** What reading a value may need beside the value. */
export type ReadContext = {
  /** Ends the check, whose result nobody waits for any more. */
  signal?: AbortSignal | undefined;
  /** How images are fetched whose address is given; without it no address is accepted. */
  remote?: RemoteImages | undefined;
};

export type JsonSchema = Record<string, unknown>;

/**
 * One type of field. A new type is a file beside this one and a line in `field-types.ts`: validation, the template
 * generator's proofs and the API description all follow from it. Its control in the studio is a line in
 * `app/(studio)/templates/fields/controls.tsx`, for which the compiler asks.
 * Where it may stand in a document, and what it is measured for there, is in `markup.ts`, `compose.ts` and `fit-text.ts`.
 */
export type FieldType<Declaration, Value> = {
  /** Checks a value that a request or a variant gave. Never throws for a bad value, only the signal's reason. */
  read(
    value: unknown,
    declaration: Declaration,
    context: ReadContext,
  ): ReadResult<Value> | Promise<ReadResult<Value> | OpenedValue<Value>>;
  /** The JSON Schema of what {@link read} accepts. */
  jsonSchema(declaration: Declaration): JsonSchema;
  /** Any value that is not empty, in the form that Liquid gets. */
  sample(declaration: Declaration): Value;
  /** Values that try to leave their place in the document, for the generator to prove that they cannot. */
  hostile: Value[];
};

/** Shows a value that was got, short enough for a message. */
export function show(value: unknown): string {
  if (typeof value === "string") return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : String(value);
}

/** The fault of a value that has the wrong JSON type. */
export function wrongType(value: unknown, wanted: string): { fault: ValueFault } {
  return { fault: { code: "invalid_type", message: `Got ${show(value)}, want ${wanted}.` } };
}
