import { z } from "zod";

/** A field name that is valid in JSON, in Liquid and in a form. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;

/** Keywords of Liquid, and keys that the service refuses anywhere in a JSON body. */
const RESERVED_NAMES = [
  "empty",
  "blank",
  "nil",
  "null",
  "true",
  "false",
  "forloop",
  "tablerowloop",
  "and",
  "or",
  "not",
  "contains",
  "constructor",
  "prototype",
];

/** The name of a field, or of a field of a list's items, in `template.json`. */
export const fieldName = z
  .string()
  .regex(FIELD_NAME, "want a lower-case letter, then letters and digits, at most 40 characters")
  .refine((name) => !RESERVED_NAMES.includes(name), "which is a reserved word, want another name");
