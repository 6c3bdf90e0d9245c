import { setImmediate as nextTurn } from "node:timers/promises";
import { isUnsafeAttribute } from "./compile-markup.ts";
import { composeElements } from "./compose.ts";
import { shapeOf, unsafePlaceOf } from "./document-tree.ts";
import { fieldType, type SimpleDeclaration } from "./fields/field-types.ts";
import type { ListValue } from "./fields/list.ts";
import { textField } from "./fields/text.ts";
import { liquidFault } from "./liquid.ts";
import { declaredLeaves, itemsOf } from "./lists/leaf-fields.ts";
import { indexInAttribute, indexOfUse } from "./markup/field-uses.ts";
import { hasUnquotedOutput } from "./markup/unquoted-outputs.ts";
import { type FieldValues, type FileFault, MARKUP_FILE, type Template } from "./template.ts";
import { lineAt } from "./template-files.ts";

/** A word that no template contains. */
const MARKER = "zqxmarkerxqz";

function samples(template: Template): FieldValues {
  const entries = Object.entries(template.fields);
  return Object.fromEntries(entries.map(([name, declaration]) => [name, fieldType(declaration).sample(declaration)]));
}

/** A field that the check fills: of the template, or of all items of a list together. */
type Place = { key: string; declaration: SimpleDeclaration };

const placesOf = ({ fields }: Template): Place[] =>
  declaredLeaves(fields).map(([key, declaration]) => ({ key, declaration }));

/** The values with another value in one place. Lists without items stay so. */
function fill(values: FieldValues, { key }: Place, value: unknown): FieldValues {
  const [name = "", inner] = key.split(".");
  if (inner === undefined) return { ...values, [name]: value };
  const items = itemsOf(values[name]);
  if (items.length === 0) return values;
  const list = values[name] as ListValue;
  return { ...values, [name]: { ...list, items: items.map((item) => ({ ...item, [inner]: value })) } };
}

/** Whether a branch has a value in a place, so that another one changes the document. */
function isFilled(values: FieldValues, { key }: Place): boolean {
  const [name = "", inner] = key.split(".");
  if (inner === undefined) return values[name] !== null;
  return itemsOf(values[name]).some((item) => item[inner] !== null);
}

/** The values of a field on which a template may branch. */
function choicesOf({ declaration }: Place): unknown[] {
  if (declaration.type === "select") return declaration.options;
  return declaration.type === "boolean" ? [true, false] : [];
}

/** Lists without items, with one, with the most that the design shows, and with some left out. */
function lengthsOf(template: Template, filled: FieldValues): FieldValues[] {
  return Object.entries(template.fields).flatMap(([name, declaration]) => {
    if (declaration.type !== "list") return [];
    const items = itemsOf(filled[name]);
    const lengths = [...(declaration.required ? [] : [0]), 1, 2].filter(
      (length) => length < items.length || length === 0,
    );
    const shorter = lengths.map((length) => ({ ...filled, [name]: { items: items.slice(0, length), more: 0 } }));
    return declaration.overflow === "refuse" ? shorter : [...shorter, { ...filled, [name]: { items, more: 3 } }];
  });
}

/**
 * Sets of values that reach the branches of a template, in addition to the set with every field filled: each variant,
 * each choice, each optional field empty, all optional fields empty, and lists of several lengths.
 */
function branchesOf(template: Template, filled: FieldValues): FieldValues[] {
  const places = placesOf(template);
  const optional = places.filter(({ declaration: { required } }) => !required);
  const empty = (values: FieldValues, place: Place) => fill(values, place, null);
  const lengths = lengthsOf(template, filled);
  return [
    ...Object.values(template.variants).map(({ values }) => values),
    ...places.flatMap((place) => choicesOf(place).map((choice) => fill(filled, place, choice))),
    ...optional.map((place) => empty(filled, place)),
    optional.reduce(empty, filled),
    ...lengths,
    ...lengths.map((values) => optional.reduce(empty, values)),
  ];
}

type Escape = { template: Template; branch: FieldValues; place: Place };

/** What to do about a value that changes the elements: attributes without quotes do that, and so does Liquid. */
function remedyFor({ html }: Template): string {
  if (hasUnquotedOutput(html)) return "Put the attribute that holds it in quotes.";
  return "A condition or a loop over its text makes other elements. Show it as text only.";
}

/** Reports a field whose value can change the elements of the document, or that is in an unsafe place. */
function describeEscape({ template, branch, place }: Escape): string | undefined {
  const { key: name, declaration } = place;
  const shapeWith = (value: unknown) => shapeOf(composeElements(template, fill(branch, place, value)));
  const expected = shapeWith(fieldType(declaration).sample(declaration));
  const escaped = fieldType(declaration).hostile.find((value) => shapeWith(value) !== expected);
  if (escaped !== undefined) {
    return `The value ${JSON.stringify(escaped)} of "${name}" changes the elements of the document. ${remedyFor(template)}`;
  }
  const marker = fieldType(declaration).holding?.(MARKER);
  if (marker === undefined) return undefined;
  const html = composeElements(template, fill(branch, place, marker));
  const unsafe = unsafePlaceOf(html, MARKER, isUnsafeAttribute);
  return (
    unsafe &&
    `The ${declaration.type} field "${name}" is in ${unsafe}, where any text could do harm. Put it in text or a plain attribute.`
  );
}

/** Fills all fields that hold text with hostile values at once. A document that passes needs no check of each field. */
function isContained(template: Template, branch: FieldValues): boolean {
  const texts = placesOf(template).flatMap((place) => {
    const { holding } = fieldType(place.declaration);
    return holding && isFilled(branch, place) ? { place, holding } : [];
  });
  const htmlWith = (value: string) =>
    composeElements(
      template,
      texts.reduce((values, { place, holding }) => fill(values, place, holding(value)), branch),
    );
  const hostile = htmlWith(`${MARKER} ${textField.hostile.join(" ")}`);
  return shapeOf(hostile) === shapeOf(htmlWith("x")) && unsafePlaceOf(hostile, MARKER, isUnsafeAttribute) === undefined;
}

/**
 * Fills all fields with hostile values in turns, so that each field has had each of its values. Far fewer documents show that
 * nothing escapes than one for every field and value, which are needed only to name the field that does.
 */
function isContainedInTurns(template: Template, filled: FieldValues): boolean {
  const places = placesOf(template).map((place) => ({ place, hostile: fieldType(place.declaration).hostile }));
  const turns = Math.max(0, ...places.map(({ hostile }) => hostile.length));
  const expected = shapeOf(composeElements(template, filled));
  return Array.from({ length: turns }).every((_, turn) => {
    const values = places.reduce(
      (last, { place, hostile }, index) =>
        hostile.length === 0 ? last : fill(last, place, hostile[(turn + index) % hostile.length]),
      filled,
    );
    return shapeOf(composeElements(template, values)) === expected;
  });
}

/** The line of a field, in the attribute that a reason names if it names one. */
function lineOfField(template: Template, { key }: Place, reason: string): number {
  const name = key.split(".").at(-1) ?? "";
  const [, attribute] = / is in the attribute ([\w-]+) of </.exec(reason) ?? [];
  const index =
    attribute === undefined ? indexOfUse(template.html, name) : indexInAttribute(template.html, { name, attribute });
  return index < 0 ? 1 : lineAt(template.html, index);
}

/** With hundreds of fields, each document takes long. Other work gets a turn between two of them. */
async function escapesOf(template: Template, branch: FieldValues): Promise<FileFault[]> {
  const faults: FileFault[] = [];
  for (const place of placesOf(template)) {
    await nextTurn();
    const reason = isFilled(branch, place) ? describeEscape({ template, branch, place }) : undefined;
    if (reason) faults.push({ file: MARKUP_FILE, line: lineOfField(template, place, reason), reason });
  }
  return faults;
}

/** The first branch in which a value can leave its place. Other work gets a turn before each: there are as many as fields. */
async function findLeak(template: Template, filled: FieldValues): Promise<FieldValues | undefined> {
  if (!isContainedInTurns(template, filled) || !isContained(template, filled)) return filled;
  for (const branch of branchesOf(template, filled)) {
    await nextTurn();
    if (!isContained(template, branch)) return branch;
  }
  return undefined;
}

/**
 * Composes a template with every combination of {@link branchesOf} and with hostile values, to check that it composes
 * whichever fields are empty, and that no value can leave its place in the document.
 */
export async function checkEscapes(template: Template): Promise<FileFault[]> {
  try {
    const leak = await findLeak(template, samples(template));
    if (!leak) return [];
    const named = await escapesOf(template, leak);
    const reason = "The text fields change the elements of the document together, though none does alone.";
    return named.length > 0 ? named : [{ file: MARKUP_FILE, line: 1, reason }];
  } catch (error) {
    return [liquidFault(error)];
  }
}
