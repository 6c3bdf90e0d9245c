import { type Issue, pointer } from "#lib/errors.ts";
import { MAX_IMAGE_PIXELS } from "#lib/images/image-limits.ts";
import { isRemoteImage } from "#lib/images/read-image.ts";
import { isObject } from "#lib/json-kinds.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { mixedCurrencyFaults } from "./faults/mixed-currencies.ts";
import { numberOrderFaults } from "./faults/number-order.ts";
import { totalTextFaults } from "./faults/total-text.ts";
import type { ReadResult } from "./faults/value-faults.ts";
import type { OpenedValue, ReadContext } from "./fields/field-type.ts";
import {
  CONTENT_TYPES,
  type FieldDeclaration,
  fieldType,
  type ListDeclaration,
  type SimpleDeclaration,
} from "./fields/field-types.ts";
import { type ListValue, notAnItem, readItems } from "./fields/list.ts";
import type { FieldValues } from "./template.ts";
import { languageField, replacedLanguage } from "./text-settings.ts";
import { translateDefaults } from "./translated-defaults.ts";

/** White space and characters that draw nothing, such as U+200B. */
const NOTHING_SEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a value leaves its field out. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && NOTHING_SEEN.test(value));
}

/** At most this many unknown fields are named, so that thousands of them cost little. */
export const MAX_UNKNOWN_FIELDS = 100;
/** The most issues about the items of one list. */
const ISSUE_LIMIT = 100;
const QUOTED_CHARS = 60;

function unknownField(name: string, declarations: Record<string, FieldDeclaration>): string {
  const names = Object.keys(declarations);
  const nearest = nearestName(name, names);
  const shown = `Unknown field "${name.slice(0, QUOTED_CHARS)}".`;
  if (nearest !== undefined) return `${shown} Did you mean "${nearest}"?`;
  return names.length === 0 ? `${shown} This template has no fields.` : `${shown} Want one of ${names.join(", ")}.`;
}

function unknownFields({ declarations, values, path }: ReadFields, limit: number): Issue[] {
  return Object.keys(values)
    .filter((name) => !Object.hasOwn(declarations, name))
    .slice(0, limit)
    .map((name) => ({
      path: pointer(path, name.slice(0, QUOTED_CHARS)),
      code: "unknown_field",
      message: unknownField(name, declarations),
    }));
}

type ReadFields = ReadContext & {
  declarations: Record<string, FieldDeclaration>;
  /** The given values. */
  values: FieldValues;
  /** Checked values for the fields that `values` does not name. Without `base`, the declared defaults are used. */
  base?: FieldValues;
  /** JSON Pointer of the object that holds `values`. */
  path: string;
};

type ReadValues = {
  values: FieldValues;
  issues: Issue[];
  /** Names the fields whose value was replaced by another one. */
  warnings: Issue[];
};

type Read = ReadResult<unknown> | OpenedValue<unknown>;

/** One value to read, and the object that gets the result. */
type Slot = {
  at: string;
  into: FieldValues;
  name: string;
  declaration: SimpleDeclaration;
  given: unknown;
  /** Its item is left out of the picture, so it is only checked. */
  isDropped: boolean;
};

type Slots = { slots: Slot[]; issues: Issue[]; warnings: Issue[] };

function required({ label }: FieldDeclaration): { code: string; message: string } {
  return { code: "required", message: `Got nothing, want a value for "${label}".` };
}

/** The declared default. The colour of an image is known only beside its image, so its field is empty until then. */
function defaultOf(declaration: FieldDeclaration): unknown {
  return declaration.type === "color" && declaration.from !== undefined ? undefined : declaration.default;
}

async function readValue({ declaration, given, isDropped }: Slot, context: ReadContext): Promise<Read> {
  // The image of an item that is not shown is neither fetched nor decoded.
  if (isDropped && declaration.type === "image") return { value: null };
  if (!isEmpty(given)) return fieldType(declaration).read(given, declaration, context);
  const own = CONTENT_TYPES.includes(declaration.type) ? undefined : defaultOf(declaration);
  if (!isEmpty(own)) return fieldType(declaration).read(own, declaration, context);
  return declaration.required ? { fault: required(declaration) } : { value: null };
}

type Given = { at: string; into: FieldValues; name: string; given: unknown };

/** The values of a list's items. The list itself is put in its place. */
function listSlots(declaration: ListDeclaration, { at, into, name, given }: Given): Slots {
  into[name] = null;
  if (isEmpty(given) || (Array.isArray(given) && given.length === 0))
    return { slots: [], issues: declaration.required ? [{ path: at, ...required(declaration) }] : [], warnings: [] };
  const read = readItems(given, declaration);
  if ("fault" in read) return { slots: [], issues: [{ path: at, ...read.fault }], warnings: [] };
  const names = Object.keys(declaration.item);
  const items: FieldValues[] = [];
  // To find the name that is meant takes longer than to read the item, so it is done only for what is reported.
  let issuesLeft = ISSUE_LIMIT;
  const found = read.value.map((item, index): Slots => {
    const path = pointer(at, index);
    if (!isObject(item)) return { slots: [], issues: [{ path, ...notAnItem(item, names) }], warnings: [] };
    const own: FieldValues = {};
    const isDropped = index >= declaration.max;
    if (!isDropped) items.push(own);
    const inner = slotsOf({ declarations: declaration.item, values: item, path }, own, issuesLeft);
    issuesLeft -= inner.issues.length;
    return { ...inner, slots: inner.slots.map((slot) => ({ ...slot, isDropped })) };
  });
  const count = read.value.length;
  const more = Math.max(0, count - declaration.max);
  into[name] = { items, more } satisfies ListValue;
  const message = `Shows ${declaration.max} of ${count} items.`;
  return {
    slots: found.flatMap(({ slots }) => slots),
    issues: found.flatMap(({ issues }) => issues).slice(0, ISSUE_LIMIT),
    warnings: more > 0 ? [{ path: at, code: "list_shortened", message }] : [],
  };
}

/**
 * The values to read: those that are given, and without `base` also the declared defaults.
 * @param limit the most unknown fields to report
 */
function slotsOf(
  { declarations, values, base, path }: ReadFields,
  into: FieldValues,
  limit = MAX_UNKNOWN_FIELDS,
): Slots {
  const found: Slots = { slots: [], issues: unknownFields({ declarations, values, path }, limit), warnings: [] };
  for (const [name, declaration] of Object.entries(declarations)) {
    if (base && !Object.hasOwn(values, name)) continue;
    const given = Object.hasOwn(values, name) ? values[name] : defaultOf(declaration);
    const at = pointer(path, name);
    if (declaration.type === "list") {
      const { slots, issues, warnings } = listSlots(declaration, { at, into, name, given });
      found.slots.push(...slots);
      found.issues.push(...issues);
      found.warnings.push(...warnings);
    } else found.slots.push({ at, into, name, declaration, given, isDropped: false });
  }
  return found;
}

/** Fetched files are in memory together until their pixels are counted. */
const MAX_FETCHED_IMAGES = 24;

/** The fault of an address beyond those that one request may fetch. */
function tooManyAddresses(slots: Slot[]): Slot[] {
  const fetched = slots.filter(
    ({ declaration, given, isDropped }) => declaration.type === "image" && !isDropped && isRemoteImage(given),
  );
  return fetched.slice(MAX_FETCHED_IMAGES);
}

const TOO_MANY_ADDRESSES: Read = {
  fault: {
    code: "image_rejected",
    message: `Got more than ${MAX_FETCHED_IMAGES} addresses, want images as "data:" URLs.`,
  },
};

type Field = { slot: Slot; read: Read };

/** Reads the given values. Images are fetched concurrently and not decoded yet. */
async function readSlots(slots: Slot[], context: ReadContext): Promise<Field[]> {
  const refused = tooManyAddresses(slots);
  return await Promise.all(
    slots.map(async (slot) => ({
      slot,
      read: refused.includes(slot) ? TOO_MANY_ADDRESSES : await readValue(slot, context),
    })),
  );
}

/** The faults of a value, each with its path. */
function issuesOf(path: string, { fault, more = [] }: Extract<ReadResult<unknown>, { fault: unknown }>): Issue[] {
  return [fault, ...more].map(({ at = [], ...rest }) => ({ path: at.reduce(pointer, path), ...rest }));
}

/** Counts pixels in the order of the fields, so that the result does not depend on which image arrives first. */
async function finishWithinBudget(fields: Field[]): Promise<{ slot: Slot; read: ReadResult<unknown> }[]> {
  let pixels = 0;
  const budgeted = fields.map(({ slot, read }) => {
    if (!("finish" in read)) return { slot, read };
    pixels += read.pixels;
    return { slot, read: pixels > MAX_IMAGE_PIXELS ? overBudget(pixels) : read.finish() };
  });
  return await Promise.all(budgeted.map(async ({ slot, read }) => ({ slot, read: await read })));
}

/**
 * Checks values against their declarations and converts them for Liquid: every declared field is present, and an empty
 * one is `null`, so that `{% if field %}` leaves its part out. All faults and warnings are reported at once.
 * @throws the signal's reason
 */
export async function readFields(request: ReadFields): Promise<ReadValues> {
  const { base, declarations } = request;
  const kept = Object.keys(declarations).flatMap((name) => (base ? [[name, base[name]]] : []));
  const values: FieldValues = Object.fromEntries(kept);
  const given: FieldValues = {};
  const { slots, issues, warnings } = slotsOf(request, given);
  for (const { slot, read } of await finishWithinBudget(await readSlots(slots, request))) {
    const { at, into, name, isDropped } = slot;
    if ("fault" in read) {
      issues.push(...issuesOf(at, read));
      continue;
    }
    into[name] = read.value;
    if (read.warning && !isDropped) warnings.push({ path: at, ...read.warning });
  }
  issues.push(...totalTextFaults({ fields: declarations, values: given }, request.path));
  for (const name of Object.keys(request.values)) delete values[name];
  Object.assign(values, given);
  const picture = { fields: declarations, values, given: request.values };
  issues.push(...mixedCurrencyFaults(picture, request.path));
  issues.push(...numberOrderFaults({ ...picture, isEdit: base !== undefined }, request.path));
  const language = languageField(declarations);
  // The language that a variant states is that of its own words.
  if (base && language !== undefined && !Object.hasOwn(request.values, language) && values[language] !== null)
    values[language] = replacedLanguage(declarations, base, values) ?? values[language];
  const translated = translateDefaults(declarations, { given: request.values, values });
  return { values: translated, issues, warnings };
}

function overBudget(pixels: number): ReadResult<never> {
  const [got, limit] = [pixels, MAX_IMAGE_PIXELS].map((count) => count.toLocaleString("en"));
  const message = `Got ${got} pixels with the images before it, want at most ${limit} in a request.`;
  return { fault: { code: "image_rejected", message } };
}
