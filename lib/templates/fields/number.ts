import { z } from "zod";
import { commonDeclaration, type FieldType, wrongType } from "./field-type.ts";

export const numberDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("number"),
  min: z.number().default(-1_000_000_000_000),
  max: z.number().default(1_000_000_000_000),
  integer: z.boolean().default(false),
});

export const numberField: FieldType<z.infer<typeof numberDeclaration>, number> = {
  read(value, { min, max, integer }) {
    const wanted = `a${integer ? " whole" : ""} number from ${min} to ${max}`;
    if (typeof value !== "number" || !Number.isFinite(value)) return wrongType(value, wanted);
    if (value < min || value > max || (integer && !Number.isInteger(value))) {
      return { fault: { code: "out_of_range", message: `Got ${value}, want ${wanted}.` } };
    }
    return { value };
  },
  jsonSchema: ({ min, max, integer }) => ({ type: integer ? "integer" : "number", minimum: min, maximum: max }),
  sample: ({ min, max }) => Math.min(Math.max(1, min), max),
  hostile: [],
};
