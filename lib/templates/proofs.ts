import { LiquidError } from "liquidjs";
import { composeDocument } from "./compose.ts";
import { shapeOf, unsafePlaceOf } from "./document-tree.ts";
import { type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import { isUnsafeAttribute, MARKUP_FILE } from "./markup.ts";
import type { FieldValues, FileFault, Template } from "./template.ts";

/** A word that no template contains. */
const MARKER = "zqxmarkerxqz";

/** A fault of the Liquid source, with the line that liquidjs names. */
export function liquidFault(error: unknown): FileFault {
  if (!LiquidError.is(error)) throw error;
  const [line = 1] = error.token.getPosition();
  return { file: MARKUP_FILE, line, reason: error.message.replace(/, line:\d+, col:\d+$/, ".") };
}

function samples(template: Template): FieldValues {
  const entries = Object.entries(template.fields);
  return Object.fromEntries(entries.map(([name, declaration]) => [name, fieldType(declaration).sample(declaration)]));
}

/** The document with every optional field empty: a template that then fails would fail for a user. */
function proveOptional(template: Template, filled: FieldValues): void {
  const entries = Object.entries(template.fields);
  composeDocument(
    template,
    Object.fromEntries(entries.map(([name, { required }]) => [name, required ? filled[name] : null])),
  );
  for (const [name, { required }] of entries) if (!required) composeDocument(template, { ...filled, [name]: null });
}

type Proof = { template: Template; filled: FieldValues; name: string; declaration: FieldDeclaration };

/** Nothing that a field may hold changes which elements and attributes there are. */
function proveContained({ template, filled, name, declaration }: Proof): string | undefined {
  const shapeWith = (value: unknown) => shapeOf(composeDocument(template, { ...filled, [name]: value }).html);
  const expected = shapeWith(filled[name]);
  const escaped = fieldType(declaration).hostile.find((value) => shapeWith(value) !== expected);
  if (escaped !== undefined)
    return `The value ${JSON.stringify(escaped)} of "${name}" changes the elements of the document. Quote the attribute that it stands in.`;
  if (declaration.type !== "text") return undefined;
  const { html } = composeDocument(template, { ...filled, [name]: MARKER });
  const place = unsafePlaceOf(html, MARKER, isUnsafeAttribute);
  return place && `The text field "${name}" stands in ${place}, want it in text: any text may come there.`;
}

/**
 * Proves of a template that it fills whichever fields are empty, and that no value leaves its place.
 * @returns what could not be proved
 */
export function proveTemplate(template: Template): FileFault[] {
  try {
    const filled = samples(template);
    proveOptional(template, filled);
    for (const { values } of Object.values(template.variants)) composeDocument(template, values);
    return Object.entries(template.fields).flatMap(([name, declaration]) => {
      const reason = proveContained({ template, filled, name, declaration });
      return reason ? { file: MARKUP_FILE, line: lineOfField(template, name), reason } : [];
    });
  } catch (error) {
    return [liquidFault(error)];
  }
}

function lineOfField(template: Template, name: string): number {
  const index = template.html.search(new RegExp(`\\{[{%][^}]*\\b${name}\\b`));
  return index < 0 ? 1 : template.html.slice(0, index).split("\n").length;
}
