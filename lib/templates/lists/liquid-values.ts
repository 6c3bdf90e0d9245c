import { Drop } from "liquidjs";
import type { TextSettings } from "#lib/type/text/runs.ts";
import { composeColors } from "../compose-colors.ts";
import type { PresentSettings } from "../fields/field-type.ts";
import { type FieldDeclaration, fieldType, type ListDeclaration } from "../fields/field-types.ts";
import type { ListValue } from "../fields/list.ts";
import type { FieldValues } from "../template.ts";
import { ITEM_INDEX, ItemIndex } from "./item-index.ts";

/** A list without items: false in a condition, as an empty field is, and without items in a loop. */
class EmptyList extends Drop {
  readonly more = 0;
  readonly size = 0;

  override valueOf(): null {
    return null;
  }
}

type Declared = { fields: Record<string, FieldDeclaration>; values: FieldValues; settings: TextSettings };

/** The values that Liquid gets in a form of its own, such as amounts of money, which are written in a language. */
function presented(fields: Declared["fields"], values: FieldValues, settings: PresentSettings): FieldValues {
  const entries = Object.entries(fields).flatMap(([name, declaration]) => {
    const { present } = fieldType(declaration);
    const value = values[name];
    return present && value !== null && value !== undefined ? [[name, present(value, declaration, settings)]] : [];
  });
  return { ...values, ...Object.fromEntries(entries) };
}

function liquidList(
  { item }: ListDeclaration,
  list: ListValue | null,
  { fields, values, settings }: Declared,
): unknown {
  if (!list || list.items.length === 0) return new EmptyList();
  const items = list.items.map((own, index) => {
    // A colour of an item may lie over one of the template.
    const composed = composeColors({ ...fields, ...item }, { ...values, ...own });
    const drawn = Object.fromEntries(Object.keys(item).map((name) => [name, composed[name] ?? null]));
    const presentSettings = { ...settings, colorOf: (name: string) => composed[name] };
    return { ...presented(item, drawn, presentSettings), [ITEM_INDEX]: new ItemIndex(index) };
  });
  return Object.assign(items, { more: list.more });
}

/** The variables of a document: checked values with composed colours, and lists that Liquid can loop over. */
export function liquidValues(fields: Declared["fields"], values: FieldValues, settings: TextSettings): FieldValues {
  const lists = Object.entries(fields).flatMap(([name, field]) =>
    field.type === "list"
      ? [[name, liquidList(field, values[name] as ListValue | null, { fields, values, settings })]]
      : [],
  );
  const composed = composeColors(fields, values);
  const presentSettings = { ...settings, colorOf: (name: string) => composed[name] };
  return { ...presented(fields, composed, presentSettings), ...Object.fromEntries(lists) };
}
