import type { FieldDeclaration, ListDeclaration } from "#lib/templates/fields/field-types.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";

export type TextField = Extract<FieldDeclaration, { type: "text" | "emphasis" }>;

type Items = Record<string, unknown>[];

/** How many items more than a design shows the longest list has. */
const EXCESS = 3;

function lists({ fields }: Template): [name: string, list: ListDeclaration][] {
  return Object.entries(fields).flatMap(([name, field]) => (field.type === "list" ? [[name, field]] : []));
}

/** The items of a variant as a request sends them. An asset of the template cannot be sent. */
export function ownItems({ item }: ListDeclaration, content: unknown): Items {
  if (!Array.isArray(content)) return [];
  return content.map((values: FieldValues) => {
    const sent = Object.entries(values).filter(
      ([name, value]) => item[name]?.type !== "image" || String(value).startsWith("data:"),
    );
    return Object.fromEntries(sent);
  });
}

/** The texts in another order for each item, so that a list does not repeat one. */
export function turned(texts: string[], index: number): string[] {
  const at = index % texts.length;
  return [...texts.slice(at), ...texts.slice(0, at)];
}

/** The lists of a variant with other texts in their items. Texts that are left out of an item stay so. */
export function listTexts(
  template: Template,
  { content }: Variant,
  textFor: (field: TextField, own: unknown, index: number) => string,
): FieldValues {
  const filled = lists(template).map(([name, list]) => {
    const items = ownItems(list, content[name]).map((values, index) => {
      const texts = Object.entries(list.item).flatMap(([inner, field]) =>
        field.type === "text" && values[inner] ? [[inner, textFor(field, values[inner], index)]] : [],
      );
      return { ...values, ...Object.fromEntries(texts) };
    });
    return [name, items];
  });
  return Object.fromEntries(filled);
}

/** Each item with another text in all of its text fields, also in those that it leaves out. */
function withTexts(list: ListDeclaration, items: Items, textFor: (field: TextField) => string): Items {
  const texts = Object.entries(list.item).flatMap(([inner, field]) =>
    field.type === "text" ? [[inner, textFor(field)]] : [],
  );
  return items.map((item) => ({ ...item, ...Object.fromEntries(texts) }));
}

/** As many items as wanted, which repeat those of the variant. */
function repeated(items: Items, count: number): Items {
  return Array.from({ length: items.length === 0 ? 0 : count }, (_, index) => items[index % items.length] ?? {});
}

/** Lists with the fewest items, the most that the design shows, and too many, and with each optional value left out. */
export function listLengths(template: Template, { content }: Variant): { content: string; data: FieldValues }[] {
  return lists(template).flatMap(([name, list]) => {
    const items = ownItems(list, content[name]);
    const cell = (what: string, data: unknown) => ({ content: `${name}:${what}`, data: { [name]: data } });
    const lengths = [
      cell("one", repeated(items, Math.max(1, list.min))),
      cell("most", repeated(items, list.max)),
      ...(list.overflow === "refuse" ? [] : [cell("too-many", repeated(items, list.max + EXCESS))]),
      ...(list.required ? [] : [cell("none", null)]),
    ];
    const optional = Object.keys(list.item).filter((inner) => !list.item[inner]?.required);
    const without = (names: string[]) =>
      items.map((item) => ({ ...item, ...Object.fromEntries(names.map((inner) => [inner, null])) }));
    return optional.length === 0 ? lengths : [...lengths, cell("bare", without(optional))];
  });
}

/** Lists whose length and whose texts are at the same end: the most items with the longest texts, and one item with the shortest. */
export function listEnds(
  template: Template,
  { content }: Variant,
  { longest, shortest }: Record<"longest" | "shortest", (field: TextField) => string>,
): { content: string; data: FieldValues }[] {
  return lists(template).flatMap(([name, list]) => {
    if (!Object.values(list.item).some(({ type }) => type === "text")) return [];
    const items = ownItems(list, content[name]);
    const most = withTexts(list, repeated(items, list.max), longest);
    const one = withTexts(list, repeated(items, Math.max(1, list.min)), shortest);
    return [
      { content: `${name}:most-longest`, data: { [name]: most } },
      { content: `${name}:one-shortest`, data: { [name]: one } },
    ];
  });
}
