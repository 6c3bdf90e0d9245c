import { z } from "zod";
import { isNumber } from "#lib/json-kinds.ts";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { isUnit, type NumberStyle, type Quantity, writeNumber } from "#lib/type/text/numbers.ts";
import { wrongType } from "../faults/value-faults.ts";
import { numberStyle } from "../filters/filter-styles.ts";
import { joinParts, piecesFor, WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

/** The keys of a number beyond the common ones. A range of numbers has them too. */
export const numberKeys = {
  type: z.literal("number"),
  min: z.number().default(-1_000_000_000_000),
  max: z.number().default(1_000_000_000_000),
  integer: z.boolean().default(false),
  /** How the number is written, in the language of the document. Without it, the template gets the plain number. */
  format: z.enum(["decimal", "percent", "unit", "compact"]).optional(),
  /** Digits after the point: exactly that many, or of a compact number at most. */
  digits: z.number().int().min(0).max(6).optional(),
  unit: z.string().refine(isUnit, 'want a unit of ECMA-402, such as "celsius" or "kilometer-per-hour"').optional(),
  display: z.enum(["short", "narrow", "long"]).optional(),
  /** Whether numbers above zero have a plus sign. */
  signed: z.boolean().optional(),
};

type Keys = z.infer<z.ZodObject<typeof numberKeys>>;

/** Reports a least value above the greatest: no value would be allowed. */
export function checkOrder({ min, max }: { min: number; max: number }, context: z.RefinementCtx): void {
  if (min > max) context.addIssue({ code: "custom", path: ["min"], message: `Got ${min}, want at most max, ${max}` });
}

/** Reports keys of the format that need another key, and limits in the wrong order. */
export function checkNumberKeys(keys: Keys, context: z.RefinementCtx): void {
  const { format, unit, digits, display, signed } = keys;
  const report = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
  checkOrder(keys, context);
  if (format === "unit" && unit === undefined) report("format", 'Want "unit" too, such as "celsius"');
  if (format !== "unit" && unit !== undefined) report("unit", 'Want "format": "unit" too');
  if (format === undefined && (digits ?? display ?? signed) !== undefined)
    report("format", 'Want "decimal", "percent", "unit" or "compact", which the other keys refine');
}

export const numberDeclaration = z
  .strictObject({
    ...commonDeclaration,
    ...numberKeys,
    /** Another number of the template that this one may not be above, such as the count of pages. */
    atMost: z.string().optional(),
    fit: fitRule.optional(),
  })
  .superRefine(checkNumberKeys);

/** Writes a number, or a range of them, as its declaration or a filter says. */
export function presentNumber(
  quantity: Quantity,
  style: NumberStyle,
  { language, raw, facts = {} }: { language: string; raw: number; facts?: Record<string, unknown> },
): WrittenValue {
  const parts = writeNumber(quantity, style, language);
  return new WrittenValue({
    text: joinParts(parts),
    raw,
    facts: { ...facts, parts: piecesFor(parts, language) },
    rewrite: ({ filter, form, options, language: wanted }) => {
      if (filter !== "number") return undefined;
      const isPlain = form === undefined && Object.keys(options).every((name) => name === "language");
      return joinParts(writeNumber(quantity, isPlain ? style : numberStyle(form, options), wanted));
    },
  });
}

export const numberField: FieldType<Keys, number> = {
  read(value, { min, max, integer }) {
    const wanted = `a${integer ? " whole" : ""} number from ${min} to ${max}`;
    if (!isNumber(value)) return wrongType(value, wanted);
    if (value < min || value > max || (integer && !Number.isInteger(value))) {
      return { fault: { code: "out_of_range", message: `Got ${value}, want ${wanted}.` } };
    }
    return { value };
  },
  present: (value, { format, ...style }, { language }) =>
    format === undefined
      ? value
      : presentNumber(value, { format, ...style }, { language, raw: value, facts: { value } }),
  jsonSchema: ({ min, max, integer }) => ({ type: integer ? "integer" : "number", minimum: min, maximum: max }),
  sample: ({ min, max }) => Math.min(Math.max(1, min), max),
  another: (value, { min, max }) => (value === max ? min : max),
  hostile: [],
};
