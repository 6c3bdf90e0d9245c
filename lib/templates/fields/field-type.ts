import { z } from "zod";
import type { RemoteImages } from "#lib/images/remote/fetch-image.ts";
import type { TextSettings } from "#lib/type/text/runs.ts";
import type { ReadResult } from "../faults/value-faults.ts";

/** The keys that a declaration of any type has in `template.json`. */
export const commonDeclaration = {
  label: z.string().min(1).max(60),
  description: z.string().max(300).optional(),
  /** Whether a value is required. An empty optional field leaves its part of the picture out. */
  required: z.boolean().default(false),
  /** The value where neither the request nor the variant has one. */
  default: z.unknown().optional(),
};

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
  /** A value that pictures write differently than this one. Types have it whose {@link sample} may be written like a value of a request. */
  another?(value: Value, declaration: Declaration): Value;
  /** A value that shows this text. Only types whose values hold free text have it; the escape check looks for the text. */
  holding?(text: string): Value;
  /** Values that try to leave their place in the document. The escape check tries them on every template. */
  hostile: Value[];
};
