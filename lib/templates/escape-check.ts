import { isUnsafeAttribute } from "./compile-markup.ts";
import { composeDocument } from "./compose.ts";
import { shapeOf, unsafePlaceOf } from "./document-tree.ts";
import { type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import { textField } from "./fields/text.ts";
import { liquidFault } from "./liquid.ts";
import { type FieldValues, type FileFault, MARKUP_FILE, type Template } from "./template.ts";
import { lineAt } from "./template-files.ts";

/** A word that no template contains. */
const MARKER = "zqxmarkerxqz";

function samples(template: Template): FieldValues {
  const entries = Object.entries(template.fields);
  return Object.fromEntries(entries.map(([name, declaration]) => [name, fieldType(declaration).sample(declaration)]));
}

/** The values of a field on which a template may branch. */
function choicesOf(declaration: FieldDeclaration): unknown[] {
  if (declaration.type === "select") return declaration.options;
  return declaration.type === "boolean" ? [true, false] : [];
}

/**
 * Sets of values that reach the branches of a template, in addition to the set with every field filled: each variant,
 * each choice, each optional field empty, and all optional fields empty.
 */
function branchesOf(template: Template, filled: FieldValues): FieldValues[] {
  const fields = Object.entries(template.fields);
  const optional = fields.filter(([, { required }]) => !required).map(([name]) => ({ [name]: null }));
  return [
    ...Object.values(template.variants).map(({ values }) => values),
    ...fields.flatMap(([name, declaration]) => choicesOf(declaration).map((choice) => ({ ...filled, [name]: choice }))),
    ...optional.map((empty) => ({ ...filled, ...empty })),
    Object.assign({}, filled, ...optional),
  ];
}

type Escape = { template: Template; branch: FieldValues; name: string };

/** Reports a field whose value can change the elements of the document, or that is in an unsafe place. */
function describeEscape({ template, branch, name }: Escape): string | undefined {
  const declaration = template.fields[name];
  if (!declaration) return undefined;
  const shapeWith = (value: unknown) => shapeOf(composeDocument(template, { ...branch, [name]: value }).html);
  const expected = shapeWith(fieldType(declaration).sample(declaration));
  const escaped = fieldType(declaration).hostile.find((value) => shapeWith(value) !== expected);
  if (escaped !== undefined) {
    return `The value ${JSON.stringify(escaped)} of "${name}" changes the elements of the document. Put the attribute that holds it in quotes.`;
  }
  const marker = fieldType(declaration).holding?.(MARKER);
  if (marker === undefined) return undefined;
  const { html } = composeDocument(template, { ...branch, [name]: marker });
  const place = unsafePlaceOf(html, MARKER, isUnsafeAttribute);
  return (
    place &&
    `The ${declaration.type} field "${name}" is in ${place}, where any text could do harm. Put it in text or a plain attribute.`
  );
}

/** Fills all fields that hold text with hostile values at once. A document that passes needs no check of each field. */
function isContained(template: Template, branch: FieldValues): boolean {
  const texts = Object.entries(template.fields).flatMap(([name, declaration]) => {
    const { holding } = fieldType(declaration);
    return holding && branch[name] !== null ? { name, holding } : [];
  });
  const fill = (value: string) =>
    composeDocument(template, {
      ...branch,
      ...Object.fromEntries(texts.map(({ name, holding }) => [name, holding(value)])),
    }).html;
  const hostile = fill(`${MARKER} ${textField.hostile.join(" ")}`);
  return shapeOf(hostile) === shapeOf(fill("x")) && unsafePlaceOf(hostile, MARKER, isUnsafeAttribute) === undefined;
}

function lineOfField(template: Template, name: string): number {
  const index = template.html.search(new RegExp(`\\{[{%][^}]*\\b${name}\\b`));
  return index < 0 ? 1 : lineAt(template.html, index);
}

function escapesOf(template: Template, branch: FieldValues): FileFault[] {
  return Object.keys(template.fields).flatMap((name) => {
    const reason = branch[name] === null ? undefined : describeEscape({ template, branch, name });
    return reason ? { file: MARKUP_FILE, line: lineOfField(template, name), reason } : [];
  });
}

/**
 * Composes a template with every combination of {@link branchesOf} and with hostile values, to check that it composes
 * whichever fields are empty, and that no value can leave its place in the document.
 */
export function checkEscapes(template: Template): FileFault[] {
  try {
    const filled = samples(template);
    const faults = escapesOf(template, filled);
    if (faults.length > 0) return faults;
    const leak = branchesOf(template, filled).find((branch) => !isContained(template, branch));
    if (!leak) return [];
    const named = escapesOf(template, leak);
    const reason = "The text fields change the elements of the document together, though none does alone.";
    return named.length > 0 ? named : [{ file: MARKUP_FILE, line: 1, reason }];
  } catch (error) {
    return [liquidFault(error)];
  }
}
