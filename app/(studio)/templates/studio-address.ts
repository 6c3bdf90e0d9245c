import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { type Edits, type EditValue, isPicked, type StudioTemplate } from "./edits.ts";

/**
 * How long the query of an address may be, in characters: proxies refuse request lines of more than 8 KB, and Node's heads
 * end at 16 KB together with the cookies.
 */
const MAX_QUERY_CHARS = 6_000;

/** What the page shows, as its address says it. */
export type StudioState = { variant: string; edits: Edits };

const TYPE_OF: Record<FieldDeclaration["type"], "string" | "number" | "boolean"> = {
  text: "string",
  number: "number",
  boolean: "boolean",
  select: "string",
  color: "string",
  image: "string",
  date: "string",
  qr: "string",
};

/** An empty text is an edit of every type: it leaves the field out. A link does not carry images, only their addresses. */
function readValue({ type }: FieldDeclaration, value: unknown): EditValue | undefined {
  if (value === "") return "";
  if (type === "image") return typeof value === "string" && /^https?:\/\//.test(value) ? value : undefined;
  // 1e999 is JSON, and no number that a request could send.
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

/** What an address asks for. What the template does not have is left out: a link may be older than the template. */
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
  /** With its question mark; empty where the page shows what it would without. */
  query: string;
  /** The fields whose image the link leaves out. */
  images: string[];
  /** Whether the edits are too long for a link, which then has none of them. */
  isTooLong: boolean;
};

/** The address that opens the page as it is. */
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
