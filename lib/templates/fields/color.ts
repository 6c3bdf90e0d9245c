import { z } from "zod";
import { show, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

const HEX_COLOR = /^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

export const colorDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("color"),
  /** Another colour field, or a hex colour: a translucent value is drawn on it before the template gets it. */
  over: z.string().min(1).optional(),
  /** A colour of an image, such as `photo.colors.accent`, where neither the request nor the variant has one. */
  from: z.string().min(1).optional(),
});

export function isHexColor(text: string): boolean {
  return HEX_COLOR.test(text);
}

export const colorField: FieldType<z.infer<typeof colorDeclaration>, string> = {
  read(value) {
    const wanted = "a hex colour such as #1d4ed8";
    if (typeof value !== "string") return wrongType(value, wanted);
    if (!isHexColor(value)) {
      return { fault: { code: "invalid_color", message: `Got ${show(value)}, want ${wanted}.` } };
    }
    return { value: value.toLowerCase() };
  },
  jsonSchema: () => ({ type: "string", pattern: HEX_COLOR.source }),
  sample: () => "#336699",
  hostile: [],
};
