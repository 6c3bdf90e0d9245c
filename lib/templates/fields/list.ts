import { z } from "zod";
import { type ReadResult, show, wrongType } from "../faults/value-faults.ts";
import { fieldName } from "./field-name.ts";
import { commonDeclaration, type FieldType, type JsonSchema } from "./field-type.ts";
import { MAX_LIST_ITEMS } from "./list-limits.ts";
import { checkOrder } from "./number.ts";

/** The most items of a sample. A template does not branch on the items after these. */
const SAMPLE_ITEMS = 20;

/** Names of properties that Liquid gives every list. */
const LIST_PROPERTIES = ["size", "first", "last", "more"];

/** What a declaration of an item's field has in common with all others. */
type ItemField = { type: string; required: boolean; default?: unknown };

/** What becomes of items beyond `max`. */
const overflowRule = z.enum(["more", "drop", "refuse"]);

/** The schema of a list in `template.json`, whose items have fields of simple types. */
export function listDeclarationOf<Simple extends z.ZodType<ItemField>>(simple: Simple) {
  return z
    .strictObject({
      ...commonDeclaration,
      type: z.literal("list"),
      item: z
        .record(fieldName, simple)
        .refine((item) => Object.keys(item).length > 0, "want at least one field for the items"),
      min: z.number().int().min(0).max(MAX_LIST_ITEMS).default(0),
      /** How many items the design shows. */
      max: z.number().int().min(1).max(MAX_LIST_ITEMS),
      /**
       * For items beyond `max`: `more` leaves them out, and the template says how many; `drop` leaves them out; `refuse`
       * refuses the request.
       */
      overflow: overflowRule.default("refuse"),
    })
    .superRefine(({ item, min, max }, context) => {
      checkOrder({ min, max }, context);
      for (const [name, field] of Object.entries(item)) {
        if (field.type === "language")
          context.addIssue({
            code: "custom",
            path: ["item", name, "type"],
            message: 'Got "language", which is that of the whole document. Declare it beside the list',
          });
        if (LIST_PROPERTIES.includes(name))
          context.addIssue({ code: "custom", path: ["item", name], message: "is a word of lists, want another name" });
      }
    });
}

/** The items of a checked list that the picture shows, and how many were left out. */
export type ListValue = { items: Record<string, unknown>[]; more: number };

type List<Declaration> = ItemField & {
  item: Record<string, Declaration>;
  min: number;
  max: number;
  overflow: z.infer<typeof overflowRule>;
};

function rangeOf({ min, max, overflow }: Omit<List<unknown>, "item">): [least: number, most: number] {
  return [min, overflow === "refuse" ? max : MAX_LIST_ITEMS];
}

const count = (items: number) => `${items} ${items === 1 ? "item" : "items"}`;

function describeRange(least: number, most: number): string {
  if (least === most) return count(least);
  return least === 0 ? `at most ${count(most)}` : `${least} to ${count(most)}`;
}

/** Checks that a value is a list of allowed length. Its items are read by `readFields`, each with a path of its own. */
export function readItems(value: unknown, declaration: Omit<List<unknown>, "item">): ReadResult<unknown[]> {
  if (!Array.isArray(value)) return wrongType(value, "an array of objects");
  const [least, most] = rangeOf(declaration);
  if (value.length >= least && value.length <= most) return { value };
  const code = value.length < least ? "too_few" : "too_many";
  return { fault: { code, message: `Got ${count(value.length)}, want ${describeRange(least, most)}.` } };
}

/** The fault of an item that is no object. */
export function notAnItem(value: unknown, names: string[]): { code: string; message: string } {
  const wanted = names.map((name) => `"${name}"`).join(", ");
  return { code: "invalid_type", message: `Got ${show(value)}, want an object with ${wanted}.` };
}

/** The field type of lists, whose items have fields of the given simple types. */
export function listFieldOf<Declaration extends ItemField>(
  typeOf: (declaration: Declaration) => FieldType<Declaration, unknown>,
): FieldType<List<Declaration>, ListValue | unknown[]> {
  const itemSchema = (item: Record<string, Declaration>): JsonSchema => {
    const properties = Object.entries(item).map(([name, declaration]): [string, JsonSchema] => {
      const schema = typeOf(declaration).jsonSchema(declaration);
      return [name, declaration.required ? schema : { anyOf: [schema, { enum: [null, ""] }] }];
    });
    const hasDefault = ({ default: value }: Declaration) => value !== undefined && value !== null && value !== "";
    const required = Object.keys(item).filter((name) => item[name]?.required && !hasDefault(item[name]));
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  };
  return {
    read: readItems,
    jsonSchema: (declaration) => {
      const [minItems, maxItems] = rangeOf(declaration);
      return { type: "array", items: itemSchema(declaration.item), minItems, maxItems };
    },
    sample: ({ item, max }) => ({
      items: Array.from({ length: Math.min(max, SAMPLE_ITEMS) }, () =>
        Object.fromEntries(Object.entries(item).map(([name, field]) => [name, typeOf(field).sample(field)])),
      ),
      more: 0,
    }),
    hostile: [],
  };
}
