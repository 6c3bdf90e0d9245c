import { inThreadTurn } from "#lib/images/thread-turns.ts";
import { readEmphasis } from "#lib/type/text/emphasis.ts";
import { shownKey } from "#lib/type/text/outputs.ts";
import { type ComposedDocument, composeBody } from "../compose.ts";
import type { BarcodeValue } from "../fields/barcode.ts";
import { fieldType, type SimpleDeclaration } from "../fields/field-types.ts";
import { documentTooLong } from "../liquid.ts";
import type { FieldValues, Template } from "../template.ts";
import { type LeafField, leavesOf, valueAt, withValue } from "./leaf-fields.ts";

/** A composed document and the values that Liquid got. */
export type Composed = {
  template: Template;
  /** The values of the chosen variant. They are never warned about because they look as their author intended. */
  base: FieldValues;
  values: FieldValues;
  /** What the request names. Without it, every value that differs from the variant's counts as named. */
  given?: FieldValues;
  /** The values as Liquid got them, where it shows □ for characters that no font has. */
  drawn?: FieldValues;
  document: Pick<ComposedDocument, "shown" | "settings" | "losses" | "steps">;
};

/** Replaces images, which are megabytes, and those of codes where only their presence is compared. */
const IMAGE_STAND_IN = "data:,";

/** A value without its image. Undefined for one that has none. */
function lightOf({ declaration: { type }, value }: LeafField): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === "image" || type === "qr") return IMAGE_STAND_IN;
  return type === "barcode" ? { ...(value as BarcodeValue), src: IMAGE_STAND_IN } : undefined;
}

/** The text that a document with this value shows somewhere, if it shows the value as it is. */
function writtenOf(declaration: SimpleDeclaration, value: unknown): string {
  if (declaration.type === "barcode") return (value as BarcodeValue).src;
  return declaration.type === "emphasis" ? shownKey(readEmphasis(String(value))) : String(value);
}

/** Items of a list may have hundreds of dates and images. Values beyond these count as effective. */
const COMPARED_VALUES = 60;

/** So do values beyond these steps of Liquid, which take 0.2 to 0.4 s. The status card has 12,000 with four components of 90 days. */
const COMPARED_STEPS = 40_000;

/** The body of a document with other values. Undefined where it is too long: without a value, a template may repeat another one. */
function bodyOf(
  template: Template,
  values: FieldValues,
  { settings }: Pick<ComposedDocument, "settings">,
): string | undefined {
  try {
    return composeBody(template, values, settings).html;
  } catch (error) {
    if (documentTooLong(error)) return undefined;
    throw error;
  }
}

/** What a required value is compared with. */
function otherValue(declaration: SimpleDeclaration, value: unknown): unknown {
  const type = fieldType(declaration);
  return type.another?.(value, declaration) ?? type.sample(declaration);
}

/** Returns a test that tells whether the value of a field changes the document. It throws the signal's reason. */
export function effectTest(
  { template, values, drawn = values, document }: Composed,
  signal?: AbortSignal,
): (leaf: LeafField) => Promise<boolean> {
  const light = leavesOf(template.fields, values).reduce((rest, leaf) => {
    const value = lightOf(leaf);
    return value === undefined ? rest : withValue(rest, leaf, value);
  }, drawn);
  const bodyWith = (other: FieldValues) => inThreadTurn(() => bodyOf(template, other, document), { signal });
  let whole: string | undefined;
  let compared = 0;
  return async (leaf) => {
    const { declaration } = leaf;
    // A value that is shown as it is needs no comparison with the document without it.
    if (declaration.type !== "image" && document.shown.has(writtenOf(declaration, valueAt(drawn, leaf)))) return true;
    if (++compared > COMPARED_VALUES || (compared + 1) * document.steps > COMPARED_STEPS) return true;
    const other = declaration.required ? otherValue(declaration, valueAt(values, leaf)) : null;
    whole ??= await bodyWith(light);
    return whole !== (await bodyWith(withValue(light, leaf, other)));
  };
}
