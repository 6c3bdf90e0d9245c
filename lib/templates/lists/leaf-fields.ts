import { pointer } from "#lib/errors.ts";
import type { FieldDeclaration, ListDeclaration, SimpleDeclaration } from "../fields/field-types.ts";
import type { ListValue } from "../fields/list.ts";
import type { FieldValues } from "../template.ts";

type Fields = Record<string, FieldDeclaration>;

/** A field with one value: of the template, such as `title`, or of an item of a list, such as `rows[2].name`. */
export type LeafField = {
  /** Tells it apart in the document and in messages. */
  id: string;
  declaration: SimpleDeclaration;
  value: unknown;
  /** The list and its item; absent for a field of the template. */
  item?: { list: string; index: number; name: string; isRequired: boolean };
};

/** The items that a picture shows. An empty list has none. */
export function itemsOf(value: unknown): FieldValues[] {
  return (value as ListValue | null | undefined)?.items ?? [];
}

function itemLeaves(list: string, { item, required }: ListDeclaration, value: unknown): LeafField[] {
  return itemsOf(value).flatMap((values, index) =>
    Object.entries(item).map(([name, declaration]) => ({
      id: `${list}[${index}].${name}`,
      declaration,
      value: values[name],
      item: { list, index, name, isRequired: required && declaration.required },
    })),
  );
}

/** Every field with one value, in the order of the declarations. Those of items that are not shown are left out. */
export function leavesOf(fields: Fields, values: FieldValues): LeafField[] {
  return Object.entries(fields).flatMap(([name, declaration]): LeafField[] =>
    declaration.type === "list"
      ? itemLeaves(name, declaration, values[name])
      : [{ id: name, declaration, value: values[name] }],
  );
}

/** The value of a leaf in other values, such as those of the variant. */
export function valueAt(values: FieldValues, { id, item }: LeafField): unknown {
  return item ? itemsOf(values[item.list])[item.index]?.[item.name] : values[id];
}

/** Whether a request names a field, or that of an item. */
export function isGiven(given: FieldValues, { id, item }: LeafField): boolean {
  if (!item) return Object.hasOwn(given, id);
  const items: unknown = given[item.list];
  const own: unknown = Array.isArray(items) ? items[item.index] : undefined;
  return typeof own === "object" && own !== null && Object.hasOwn(own, item.name);
}

/** The values with another value for one leaf. */
export function withValue(values: FieldValues, { id, item }: LeafField, value: unknown): FieldValues {
  if (!item) return { ...values, [id]: value };
  const list = values[item.list] as ListValue;
  const items = list.items.map((own, index) => (index === item.index ? { ...own, [item.name]: value } : own));
  return { ...values, [item.list]: { ...list, items } };
}

const ID = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+))?$/;

/** The JSON Pointer of a leaf. @param path that of the object that holds the values, in a request by default */
export function leafPointer(id: string, path = "/data"): string {
  const [, name = id, index, inner] = ID.exec(id) ?? [];
  return [name, index, inner].filter((part) => part !== undefined).reduce(pointer, path);
}

/** The declaration of a leaf, by its id or, for every item, such as `rows.name`. */
export function leafDeclaration(fields: Fields, id: string): SimpleDeclaration | undefined {
  const [, name = "", , inner] = ID.exec(id) ?? [];
  const declaration = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (declaration?.type !== "list") return inner === undefined ? declaration : undefined;
  return inner !== undefined && Object.hasOwn(declaration.item, inner) ? declaration.item[inner] : undefined;
}

/** The simple fields that a template declares: `title`, and `rows.name` for a field of all items. */
export function declaredLeaves(fields: Fields): [key: string, declaration: SimpleDeclaration][] {
  return Object.entries(fields).flatMap(([name, declaration]): [string, SimpleDeclaration][] =>
    declaration.type === "list"
      ? Object.entries(declaration.item).map(([inner, field]) => [`${name}.${inner}`, field])
      : [[name, declaration]],
  );
}
