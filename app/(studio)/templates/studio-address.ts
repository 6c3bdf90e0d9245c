import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { type Edits, type EditValue, isPicked, type StudioTemplate } from "./edits.ts";

/**
 * The longest query, in characters. Proxies refuse request lines over 8 KB, and Node refuses heads over 16 KB, cookies
 * included.
 */
const MAX_QUERY_CHARS = 6_000;

/** What the address of the page contains. */
export type StudioState = { variant: string; edits: Edits };

const TYPE_OF: Record<FieldDeclaration["type"], "string" | "number" | "boolean" | "object"> = {
  text: "string",
  number: "number",
  boolean: "boolean",
  select: "string",
  color: "string",
  image: "string",
  date: "string",
  qr: "string",
  barcode: "string",
  language: "string",
};

/**
 * An empty text is valid for every type: it leaves the field out. A link contains no image data, only addresses of
 * images.
 */
function readValue({ type }: FieldDeclaration, value: unknown): EditValue | undefined {
  if (value === "") return "";
  if (type === "image") return typeof value === "string" && /^https?:\/\//.test(value) ? value : undefined;
  // 1e999 is valid JSON, but a request cannot send it.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return undefined;
  return typeof value === TYPE_OF[type] ? (value as EditValue) : undefined;
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
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
  const edits = Object.entries(template.fields).flatMap(([name, declaration]): [string, EditValue][] => {
    const value = Object.hasOwn(data, name) ? readValue(declaration, data[name]) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return {
    variant: template.variants.includes(variant) ? variant : template.defaultVariant,
    edits: Object.fromEntries(edits),
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
  const images = Object.keys(edits).filter((name) => isPicked(edits[name]));
  const data = Object.fromEntries(Object.entries(edits).filter(([name]) => !images.includes(name)));
  const query = new URLSearchParams();
  if (variant !== template.defaultVariant) query.set("variant", variant);
  const short = query.toString();
  if (Object.keys(data).length > 0) query.set("data", JSON.stringify(data));
  const isTooLong = query.toString().length > MAX_QUERY_CHARS;
  const text = isTooLong ? short : query.toString();
  return { query: text === "" ? "" : `?${text}`, images, isTooLong };
}
