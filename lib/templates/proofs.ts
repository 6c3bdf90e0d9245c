import { LiquidError } from "liquidjs";
import { composeDocument } from "./compose.ts";
import { shapeOf, unsafePlaceOf } from "./document-tree.ts";
import { type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import { textField } from "./fields/text.ts";
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

/** Fields that hold one of a few values, on which a template may branch. */
function choicesOf(declaration: FieldDeclaration): unknown[] {
  if (declaration.type === "select") return declaration.options;
  return declaration.type === "boolean" ? [true, false] : [];
}

/** Assignments that together lead through the branches of a template: everything filled, each variant, each choice, each field empty. */
function branchesOf(template: Template, filled: FieldValues): FieldValues[] {
  const fields = Object.entries(template.fields);
  return [
    filled,
    ...Object.values(template.variants).map(({ values }) => values),
    ...fields.flatMap(([name, declaration]) => choicesOf(declaration).map((choice) => ({ ...filled, [name]: choice }))),
    ...fields.filter(([, { required }]) => !required).map(([name]) => ({ ...filled, [name]: null })),
  ];
}

type Proof = { template: Template; branch: FieldValues; name: string };

/** Nothing that a field may hold changes which elements and attributes there are. */
function proveContained({ template, branch, name }: Proof): string | undefined {
  const declaration = template.fields[name];
  if (!declaration) return undefined;
  const shapeWith = (value: unknown) => shapeOf(composeDocument(template, { ...branch, [name]: value }).html);
  const expected = shapeWith(fieldType(declaration).sample(declaration));
  const escaped = fieldType(declaration).hostile.find((value) => shapeWith(value) !== expected);
  if (escaped !== undefined) {
    return `The value ${JSON.stringify(escaped)} of "${name}" changes the elements of the document. Quote the attribute that it stands in.`;
  }
  const { html } = composeDocument(template, { ...branch, [name]: MARKER });
  const place = declaration.type === "text" ? unsafePlaceOf(html, MARKER, isUnsafeAttribute) : undefined;
  return place && `The text field "${name}" stands in ${place}, want it in text: any text may come there.`;
}

/** One document for all texts at once: where it keeps its shape and holds no marker in a wrong place, each of them does. */
function isContained(template: Template, branch: FieldValues): boolean {
  const texts = Object.entries(template.fields).filter(([name, { type }]) => type === "text" && branch[name] !== null);
  const fill = (value: (name: string) => string) =>
    composeDocument(template, { ...branch, ...Object.fromEntries(texts.map(([name]) => [name, value(name)])) }).html;
  const hostile = fill(() => `${MARKER} ${textField.hostile.join(" ")}`);
  return (
    shapeOf(hostile) === shapeOf(fill(() => "x")) && unsafePlaceOf(hostile, MARKER, isUnsafeAttribute) === undefined
  );
}

function uncontained(template: Template, branch: FieldValues): FileFault[] {
  return Object.keys(template.fields).flatMap((name) => {
    const reason = branch[name] === null ? undefined : proveContained({ template, branch, name });
    return reason ? { file: MARKUP_FILE, line: lineOfField(template, name), reason } : [];
  });
}

/**
 * Proves of a template that it fills whichever fields are empty, and that no value leaves its place.
 * @returns what could not be proved
 */
export function proveTemplate(template: Template): FileFault[] {
  try {
    const filled = samples(template);
    proveOptional(template, filled);
    const [first, ...others] = branchesOf(template, filled);
    const faults = uncontained(template, first ?? filled);
    if (faults.length > 0) return faults;
    const leak = others.find((branch) => !isContained(template, branch));
    if (!leak) return [];
    const named = uncontained(template, leak);
    const reason = "The texts together change the elements of the document, where each alone does not.";
    return named.length > 0 ? named : [{ file: MARKUP_FILE, line: 1, reason }];
  } catch (error) {
    return [liquidFault(error)];
  }
}

function lineOfField(template: Template, name: string): number {
  const index = template.html.search(new RegExp(`\\{[{%][^}]*\\b${name}\\b`));
  return index < 0 ? 1 : template.html.slice(0, index).split("\n").length;
}
