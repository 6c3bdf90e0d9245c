import { z } from "zod";
import { commonDeclaration, type FieldType, show, wrongType } from "./field-type.ts";

export const selectDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("select"),
  /** Lower-case words, because a template may use them as class names. */
  options: z.array(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "want lower-case words joined by hyphens")).min(2),
});

export const selectField: FieldType<z.infer<typeof selectDeclaration>, string> = {
  read(value, { options }) {
    const wanted = `one of ${options.map((option) => `"${option}"`).join(", ")}`;
    if (typeof value !== "string") return wrongType(value, wanted);
    if (!options.includes(value)) {
      return { fault: { code: "invalid_option", message: `Got ${show(value)}, want ${wanted}.` } };
    }
    return { value };
  },
  jsonSchema: ({ options }) => ({ type: "string", enum: options }),
  sample: ({ options }) => options[0] ?? "",
  hostile: [],
};
