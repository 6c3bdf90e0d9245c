import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { readTextSettings } from "#lib/templates/text-settings.ts";

/** The keys of a declaration beside its label. */
type Keys = Record<string, unknown>;

/** What a request with this value gets, and the fault of the value. */
export async function readField(keys: Keys, value: unknown) {
  const declaration = fieldDeclaration.parse({ label: "Field", ...keys });
  const { values, issues } = await readFields({
    declarations: { field: declaration },
    values: { field: value },
    path: "",
  });
  return { declaration, value: values.field, issue: issues[0] };
}

/** What a template with this field writes in a language. */
export async function writeField({
  keys,
  value,
  language = "en",
  source = "{{ field }}",
}: {
  keys: Keys;
  value: unknown;
  language?: string;
  source?: string;
}) {
  const { declaration, value: stored, issue } = await readField(keys, value);
  if (issue) throw new Error(issue.message);
  const settings = { ...readTextSettings({}, {}), language };
  const field = fieldType(declaration).present?.(stored, declaration, settings) ?? stored;
  return fillLiquid(parseLiquid(source), { field }, settings).html;
}
