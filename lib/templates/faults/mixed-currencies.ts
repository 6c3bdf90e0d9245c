import { type Issue, pointer } from "#lib/errors.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import type { Money } from "../fields/money.ts";
import { leafPointer, leavesOf } from "../lists/leaf-fields.ts";
import type { FieldValues } from "../template.ts";

type Amount = {
  id: string;
  currency: string;
  /** Whether the value names its currency. */
  isNamed: boolean;
  isGiven: boolean;
};

type Added = {
  fields: Record<string, FieldDeclaration>;
  /** The checked values of a picture. */
  values: FieldValues;
  /** Those of them that a request names. The others are those of the variant. */
  given: FieldValues;
};

/** The amounts that a template adds up or writes beside such ones, in the order of their declarations. */
function addedAmounts({ fields, values, given }: Added): Amount[] {
  return leavesOf(fields, values).flatMap(({ id, declaration, value, item }): Amount[] => {
    if (declaration.type !== "money" || declaration.sameCurrency !== true || !value) return [];
    const isNamed = declaration.currency === undefined;
    return [{ id, currency: (value as Money).currency, isNamed, isGiven: Object.hasOwn(given, item?.list ?? id) }];
  });
}

/**
 * The faults of amounts that a template adds up, in another currency than those of the variant, which are checked when it is loaded.
 * Without any, in another one than the first.
 * @param path JSON Pointer of the object that holds the given values
 */
export function mixedCurrencyFaults(added: Added, path: string): Issue[] {
  const amounts = addedAmounts(added);
  const first = amounts.find(({ isGiven }) => !isGiven) ?? amounts[0];
  return amounts
    .filter(({ currency }) => currency !== first?.currency)
    .map(({ id, currency, isNamed }) => {
      const other = first?.isGiven ? `"${first.id}"` : `"${first?.id}" of the variant`;
      const remedy = first?.isGiven ? "" : " Send that one too, or null where it is to be left out.";
      const message = `Got "${currency}" where ${other} has "${first?.currency}", want the same currency.${remedy}`;
      const at = leafPointer(id, path);
      return { path: isNamed ? pointer(at, "currency") : at, code: "invalid_currency", message };
    });
}
