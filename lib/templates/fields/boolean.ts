import { z } from "zod";
import { wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

export const booleanDeclaration = z.strictObject({ ...commonDeclaration, type: z.literal("boolean") });

export const booleanField: FieldType<z.infer<typeof booleanDeclaration>, boolean> = {
  read: (value) => (typeof value === "boolean" ? { value } : wrongType(value, "true or false")),
  jsonSchema: () => ({ type: "boolean" }),
  sample: () => true,
  hostile: [],
};
