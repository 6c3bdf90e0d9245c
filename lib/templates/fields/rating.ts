import { z } from "zod";
import { isNumber } from "#lib/json-kinds.ts";
import { writeNumber } from "#lib/type/text/numbers.ts";
import { wrongType } from "../faults/value-faults.ts";
import { joinParts, WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

export const ratingDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("rating"),
  /** How many stars there are. */
  max: z.number().int().min(1).max(10).default(5),
});

type RatingDeclaration = z.infer<typeof ratingDeclaration>;

/** A rating in half steps. */
export const ratingField: FieldType<RatingDeclaration, number> = {
  read(value, { max }) {
    const wanted = `a number from 0 to ${max} in steps of 0.5`;
    if (!isNumber(value)) return wrongType(value, wanted);
    if (value < 0 || value > max || !Number.isInteger(value * 2))
      return { fault: { code: "out_of_range", message: `Got ${value}, want ${wanted}.` } };
    return { value };
  },
  present(value, { max }, { language }) {
    const write = (number: number) => joinParts(writeNumber(number, {}, language));
    const steps = Array.from({ length: max }, (_, index) => Math.min(1, Math.max(0, value - index)));
    return new WrittenValue({
      text: write(value),
      raw: value,
      facts: { value, max, steps, fraction: value / max, label: `${write(value)}/${write(max)}` },
    });
  },
  jsonSchema: ({ max }) => ({ type: "number", minimum: 0, maximum: max, multipleOf: 0.5 }),
  sample: ({ max }) => Math.min(1.5, max),
  another: (value, { max }) => (value === max ? 0 : max),
  hostile: [],
};
