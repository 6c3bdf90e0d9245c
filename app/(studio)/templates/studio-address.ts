import { JSON_DEPTH_LIMIT } from "#lib/http/http-limits.ts";
import { imageSource } from "#lib/images/image-source.ts";
import type { FieldDeclaration, ListDeclaration, SimpleDeclaration } from "#lib/templates/fields/field-types.ts";
import { MAX_LIST_ITEMS } from "#lib/templates/fields/list-limits.ts";
import { type Edits, type EditValue, isPicked, type StudioTemplate } from "./edits.ts";

/**
 * The longest query, in characters. Proxies refuse request lines over 8 KB, and Node refuses heads over 16 KB, cookies
 * included.
 */
const MAX_QUERY_CHARS = 6_000;

/** What the address of the page contains. */
export type StudioState = { variant: string; edits: Edits };

const TYPE_OF: Record<SimpleDeclaration["type"], "string" | "number" | "boolean" | "object"> = {
  text: "string",
  emphasis: "string",
  number: "number",
  money: "object",
  range: "object",
  rating: "number",
  progress: "number",
  boolean: "boolean",
  select: "string",
  color: "string",
  image: "string",
  date: "string",
  qr: "string",
  barcode: "string",
  code: "object",
  series: "object",
  language: "string",
};

/** Whether an image is at an address, which may be beside its focus and zoom. */
function isLinkedImage(value: unknown): boolean {
  const source = imageSource(value);
  return typeof source === "string" && /^https?:\/\//.test(source);
}

/**
 * An empty text is valid for every type: it leaves the field out. A link contains no image data, only addresses of
 * images.
 */
function readValue(declaration: FieldDeclaration, value: unknown): EditValue | undefined {
  if (value === "") return "";
  if (value === null) return undefined;
  if (declaration.type === "list") return readList(declaration, value);
  // An address holds no image file. A value that looks like one may lack parts that the page needs.
  if (hasPicked(value as EditValue)) return undefined;
  const { type } = declaration;
  if (type === "image") return isLinkedImage(value) ? (value as EditValue) : undefined;
  // 1e999 is valid JSON, but a request cannot send it.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return undefined;
  // An amount of a declared currency is a number, and progress may name its total.
  const isOther =
    (type === "money" && typeof value === "number") ||
    (type === "progress" && typeof value === "object" && value !== null);
  return typeof value === TYPE_OF[type] || isOther ? (value as EditValue) : undefined;
}

/** The known values of every item. */
function readValues(fields: Record<string, FieldDeclaration>, data: Record<string, unknown>): Edits {
  const values = Object.entries(fields).flatMap(([name, declaration]): [string, EditValue][] => {
    const value = Object.hasOwn(data, name) ? readValue(declaration, data[name]) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}

function readList({ item }: ListDeclaration, value: unknown): EditValue | undefined {
  const isItem = (entry: unknown): entry is Record<string, unknown> => typeof entry === "object" && entry !== null;
  if (!Array.isArray(value) || !value.every(isItem)) return undefined;
  return value.slice(0, MAX_LIST_ITEMS).map((entry) => readValues(item, entry)) as EditValue;
}

/** A value without the images that were chosen from files; undefined where nothing is left. */
function linkable(value: EditValue | null): EditValue | null | undefined {
  if (value === null) return null;
  if (isPicked(value)) return undefined;
  if (Array.isArray(value)) return value.map((entry) => (entry === null ? null : (linkable(entry) ?? {}))) as EditValue;
  if (typeof value !== "object") return value;
  // The focus of an image that is left out.
  if ("src" in value && isPicked(value.src as EditValue)) return undefined;
  return linkableAll(value) as EditValue;
}

/** The values without the images that were chosen from files. */
export function linkableAll<Value extends EditValue | null>(values: Record<string, Value>): Record<string, Value> {
  const kept = Object.entries(values).flatMap(([name, value]): [string, Value][] => {
    const own = linkable(value);
    return own === undefined ? [] : [[name, own as Value]];
  });
  return Object.fromEntries(kept);
}

const hasPicked = (value: EditValue | null): boolean =>
  isPicked(value) || (typeof value === "object" && Object.values<EditValue | null>(value ?? {}).some(hasPicked));

/** Whether a value has more levels of arrays and objects than these. It stops there, because thousands of levels would exceed the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeperThan(levels - 1, entry));
}

/**
 * Replaces half of a surrogate pair by U+FFFD. JSON can hold one, and HTML cannot: the server's markup would differ from what the browser makes
 * of the same address.
 */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}", wellFormed);
    return typeof value === "object" && value !== null && !isDeeperThan(JSON_DEPTH_LIMIT, value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Reads an address. Values that the template does not have are ignored, because a link may be older than the template.
 */
export function readAddress(template: StudioTemplate, query: URLSearchParams): StudioState {
  const variant = query.get("variant") ?? "";
  const data = parsed(query.get("data")) as Record<string, unknown>;
  return {
    variant: template.variants.includes(variant) ? variant : template.defaultVariant,
    edits: readValues(template.fields, data),
  };
}

export type Address = {
  /** Starts with a question mark; empty for the default variant without edits. */
  query: string;
  /** The fields whose images the link leaves out. */
  images: string[];
  /** The edits are too long for a link, so it has none of them. */
  isTooLong: boolean;
};

/** The address that opens the page with this state. */
export function writeAddress(template: StudioTemplate, { variant, edits }: StudioState): Address {
  const images = Object.keys(edits).filter((name) => hasPicked(edits[name] ?? ""));
  const data = linkableAll(edits);
  const query = new URLSearchParams();
  if (variant !== template.defaultVariant) query.set("variant", variant);
  const short = query.toString();
  if (Object.keys(data).length > 0) query.set("data", JSON.stringify(data));
  const isTooLong = query.toString().length > MAX_QUERY_CHARS;
  const text = isTooLong ? short : query.toString();
  return { query: text === "" ? "" : `?${text}`, images, isTooLong };
}
