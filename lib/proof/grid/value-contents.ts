import type { FieldDeclaration, ListDeclaration } from "#lib/templates/fields/field-types.ts";
import type { Money } from "#lib/templates/fields/money.ts";
import { leavesOf } from "#lib/templates/lists/leaf-fields.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";
import { ownItems } from "./lists.ts";

type ValueContent = { content: string; data: FieldValues; mayNotFit?: boolean };

/** The currency of the amounts of a variant that need the same one. */
function currencyOf({ fields }: Template, { values }: Variant): string {
  const amounts = leavesOf(fields, values).flatMap(({ declaration, value }) =>
    declaration.type === "money" && declaration.sameCurrency && value ? [value as Money] : [],
  );
  return amounts[0]?.currency ?? "EUR";
}

/**
 * Values at the ends of what a field takes, in the form of a request. Texts and images have contents of their own.
 * @param currency that of the variant's amounts
 */
function extremesOf(field: FieldDeclaration, currency: string): { least: unknown; most: unknown } | undefined {
  switch (field.type) {
    case "number":
      return { least: field.min, most: field.max };
    case "money": {
      const amountOf = (amount: number) => (field.currency ? amount : { amount, currency });
      return { least: amountOf(field.min), most: amountOf(field.max) };
    }
    case "range": {
      if (field.of.type === "date") {
        const time = field.of.time ? "T00:00" : "";
        return {
          least: { from: `2026-01-01${time}`, to: `2026-01-01${time}` },
          most: { from: `2026-09-30${time}`, to: `2027-12-28${time}` },
        };
      }
      const { least, most } = extremesOf({ ...field.of, label: "", required: false }, currency) ?? {};
      return { least: { from: least, to: least }, most: { from: least, to: most } };
    }
    case "rating":
      return { least: 0, most: field.max };
    case "progress":
      return { least: 0, most: field.total ?? 1 };
    default:
      return undefined;
  }
}

/** A declared default of a trillion is no size that a design has to hold. */
const isWide = (field: FieldDeclaration) => ["number", "money", "range"].includes(field.type);

/** A text with every kind of emphasis, nested and unbalanced. */
const EMPHASIS = "**Bold *and italic* words**, a ==marked **part**==, and 2 * 3 ** 4 == 5";

/** The items of a variant with the least, or the most, in each of their numbers. */
function itemExtremes(
  list: ListDeclaration,
  content: unknown,
  { end, currency }: { end: "least" | "most"; currency: string },
): unknown[] | undefined {
  const values = Object.entries(list.item).flatMap(([inner, field]) => {
    const extremes = extremesOf(field, currency);
    return extremes ? [[inner, extremes[end]] as const] : [];
  });
  if (values.length === 0) return undefined;
  return ownItems(list, content).map((item) => {
    const filled = values.filter(([inner]) => item[inner] !== undefined);
    return { ...item, ...Object.fromEntries(filled) };
  });
}

/** The lists of a variant with the least and the most in the numbers of their items. */
export function listExtremes(template: Template, variant: Variant): ValueContent[] {
  const currency = currencyOf(template, variant);
  return Object.entries(template.fields).flatMap(([name, list]) => {
    if (list.type !== "list") return [];
    return (["least", "most"] as const).flatMap((end) => {
      const items = itemExtremes(list, variant.content[name], { end, currency });
      return items ? [{ content: `${end}:${name}`, data: { [name]: items }, mayNotFit: true }] : [];
    });
  });
}

/** A value of a field. A number that may not be above it, or that it may not be above, is as near to it as it may be: the last page of twenty. */
function withPartner({ fields }: Template, name: string, value: unknown): FieldValues {
  const own = fields[name];
  if (own?.type !== "number" || typeof value !== "number") return { [name]: value };
  const partners = Object.entries(fields).flatMap(([other, field]) =>
    field.type === "number" && (field.atMost === name || own.atMost === other)
      ? [[other, Math.min(field.max, Math.max(field.min, value))]]
      : [],
  );
  return { [name]: value, ...Object.fromEntries(partners) };
}

/** The contents that try values other than texts: the least and the most of each, and emphasis. */
export function valueContents(template: Template, variant: Variant): ValueContent[] {
  const currency = currencyOf(template, variant);
  return Object.entries(template.fields).flatMap(([name, field]) => {
    if (field.type === "emphasis")
      return [{ content: `emphasis:${name}`, data: { [name]: EMPHASIS.slice(0, field.maxLength) } }];
    const extremes = extremesOf(field, currency);
    if (!extremes) return [];
    const mayNotFit = isWide(field);
    return Object.entries(extremes).map(([end, value]) => ({
      content: `${end}:${name}`,
      data: withPartner(template, name, value),
      ...(mayNotFit && { mayNotFit }),
    }));
  });
}
