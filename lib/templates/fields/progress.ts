import { z } from "zod";
import { isNumber, isObject } from "#lib/json-kinds.ts";
import { writeNumber } from "#lib/type/text/numbers.ts";
import { type ReadResult, refuse, show, unknownKeys, wrongType } from "../faults/value-faults.ts";
import { joinParts, WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

const MAX_TOTAL = 1_000_000_000_000;

export const progressDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("progress"),
  /** What a number is a part of. Without it, a number is a fraction from 0 to 1, and an object has its own total. */
  total: z.number().positive().max(MAX_TOTAL).optional(),
});

type ProgressDeclaration = z.infer<typeof progressDeclaration>;

export type Progress = { done: number; total: number };

function readParts(value: Record<string, unknown>): ReadResult<Progress> {
  const { done, total } = value;
  const isTotal = isNumber(total) && total > 0 && total <= MAX_TOTAL;
  const faults = unknownKeys(value, { known: ["done", "total"], code: "invalid_progress" });
  const tell = (key: string, message: string) => faults.push({ code: "invalid_progress", message, at: [key] });
  if (!isTotal) tell("total", `Got ${show(total)} as "total", want a number above 0, at most ${MAX_TOTAL}.`);
  if (!isNumber(done) || done < 0 || (isTotal && done > total))
    tell("done", `Got ${show(done)} as "done", want a number from 0 to ${isTotal ? total : "the total"}.`);
  // Without faults, both are numbers.
  return refuse(faults) ?? { value: { done, total } as Progress };
}

/** How much of something is done. In Liquid it is a fraction and, where a total is known, a count. */
export const progressField: FieldType<ProgressDeclaration, Progress> = {
  read(value, { total }) {
    if (total === undefined && isObject(value)) return readParts(value);
    const object = total === undefined ? ', or an object such as { "done": 3, "total": 12 }' : "";
    const wanted = `a number from 0 to ${total ?? 1}${object}`;
    if (!isNumber(value)) return wrongType(value, wanted);
    if (value < 0 || value > (total ?? 1))
      return { fault: { code: "out_of_range", message: `Got ${value}, want ${wanted}.` } };
    return { value: { done: value, total: total ?? 1 } };
  },
  present({ done, total }, _, { language }) {
    const write = (number: number) => joinParts(writeNumber(number, {}, language));
    const fraction = done / total;
    // Rounded down, so that 100 % is said only of what is done. A little more keeps 0.29, which is 28.999… % in binary, from becoming 28 %.
    const percent = Math.floor(fraction * 100 + 1e-9);
    return new WrittenValue({
      text: joinParts(writeNumber(percent / 100, { format: "percent", digits: 0 }, language)),
      raw: fraction,
      facts: { fraction, percent, done, total, label: `${write(done)}/${write(total)}` },
    });
  },
  jsonSchema({ total }) {
    const number = { type: "number", minimum: 0, maximum: total ?? 1 };
    if (total !== undefined) return number;
    const properties = { done: { type: "number", minimum: 0 }, total: { type: "number", exclusiveMinimum: 0 } };
    const object = { type: "object", properties, required: ["done", "total"], additionalProperties: false };
    return { anyOf: [number, object], examples: [0.5] };
  },
  sample: () => ({ done: 1, total: 2 }),
  /** Another total as well, which a picture may show alone. A little is written as 0 %, so it becomes all. */
  another: ({ done, total }) => ({ done: done < total / 2 ? total + 1 : 0, total: total + 1 }),
  hostile: [],
};
