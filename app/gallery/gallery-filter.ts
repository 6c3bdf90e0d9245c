import { nearestName } from "#lib/nearest-name.ts";
import type { TemplateSummary } from "#lib/schemas/template.ts";

/** A template as the gallery shows and searches it. All of it is sent to the browser. */
export type GalleryItem = Omit<TemplateSummary, "fields" | "defaultVariant" | "variants"> & { variantCount: number };

/** How many templates are added at a time: about three screens of a large window. */
export const BATCH_SIZE = 48;

/** The longest search, in characters. Every word of it is searched in every template. */
export const MAX_SEARCH_CHARS = 200;

const SHAPES = ["landscape", "portrait", "square"] as const;

/** The filter in the address of the page. */
export type GalleryFilter = {
  /** Words that a template must all contain. */
  q: string;
  /** Tags that a template must all have. */
  tags: string[];
  /** A shape, or a size such as `1200x630`; empty for all sizes. */
  size: string;
  /** The maximum number of templates shown. */
  show: number;
};

function shapeOf({ width, height }: Pick<GalleryItem, "width" | "height">): (typeof SHAPES)[number] {
  if (width === height) return "square";
  return width > height ? "landscape" : "portrait";
}

function sizeOf({ width, height }: Pick<GalleryItem, "width" | "height">): string {
  return `${width}x${height}`;
}

/** Reads `?q=&tag=&tag=&size=&show=`. Invalid values are ignored. */
export function readFilter(params: URLSearchParams): GalleryFilter {
  const show = Number(params.get("show"));
  return {
    q: (params.get("q") ?? "").slice(0, MAX_SEARCH_CHARS),
    tags: [...new Set(params.getAll("tag").filter((tag) => tag !== ""))],
    size: params.get("size") ?? "",
    show: Number.isSafeInteger(show) && show > BATCH_SIZE ? show : BATCH_SIZE,
  };
}

/** The address of the gallery with a filter, without default values. */
export function galleryHref({ q, tags, size, show }: GalleryFilter): string {
  const params = new URLSearchParams();
  if (q.trim() !== "") params.set("q", q);
  for (const tag of tags) params.append("tag", tag);
  if (size !== "") params.set("size", size);
  if (show > BATCH_SIZE) params.set("show", String(show));
  return params.size === 0 ? "/" : `/?${params}`;
}

export function isFiltering({ q, tags, size }: GalleryFilter): boolean {
  return q.trim() !== "" || tags.length > 0 || size !== "";
}

/** Removes case and accents, and normalises sizes: `1200 × 630` becomes `1200x630`. */
function normalize(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/(\d)\s*[x×]\s*(\d)/g, "$1x$2");
}

function haystackOf(item: GalleryItem): string {
  return normalize([item.title, item.slug, item.description, ...item.tags, sizeOf(item), shapeOf(item)].join("\n"));
}

/** The templates that match a filter. */
export function filterGallery(items: GalleryItem[], { q, tags, size }: GalleryFilter): GalleryItem[] {
  const words = normalize(q).split(/\s+/).filter(Boolean);
  const hasWords = (item: GalleryItem) => {
    const haystack = haystackOf(item);
    return words.every((word) => haystack.includes(word));
  };
  return items.filter(
    (item) =>
      tags.every((tag) => item.tags.includes(tag)) &&
      (size === "" || size === shapeOf(item) || size === sizeOf(item)) &&
      (words.length === 0 || hasWords(item)),
  );
}

export type Counted = { value: string; count: number };

/** Text whose plain order is that of its numbers too: `630x1200` comes before `1200x630`. A collator takes 8 ms to make in a browser. */
function sortKey(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.padStart(8, "0"));
}

function countEach(values: string[]): Counted[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count, key: sortKey(value) }))
    .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .map(({ value, count }) => ({ value, count }));
}

/** All tags with their counts, most used first. */
export function countTags(items: GalleryItem[]): Counted[] {
  return countEach(items.flatMap(({ tags }) => tags));
}

/** All sizes with their counts, most used first. */
export function countSizes(items: GalleryItem[]): Counted[] {
  return countEach(items.map(sizeOf));
}

/** The shapes with their counts, in the order of {@link SHAPES}. */
export function countShapes(items: GalleryItem[]): Counted[] {
  const counted = countEach(items.map(shapeOf));
  return SHAPES.flatMap((shape) => counted.filter(({ value }) => value === shape));
}

/** Templates of one family, such as those for social media. */
export type GalleryFamily = { name: string; items: GalleryItem[] };

const FAMILY_NAMES: Record<string, string> = { dev: "Software" };

/** The words of a family, which is the first folder of its templates: `food-and-drink` becomes `Food and drink`. */
function familyName(folder: string): string {
  const words = folder.replaceAll("-", " ");
  return FAMILY_NAMES[folder] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Templates by family, in the order of their first ones. Those that are alone in their families are together at the end.
 * There is one family without a name where nothing would be told apart.
 */
export function groupByFamily(items: GalleryItem[]): GalleryFamily[] {
  const groups = [...Map.groupBy(items, ({ slug }) => slug.slice(0, Math.max(0, slug.indexOf("/"))))];
  const isFamily = ([folder, own]: [string, GalleryItem[]]) => folder !== "" && own.length > 1;
  const families = groups.filter(isFamily).map(([folder, own]) => ({ name: familyName(folder), items: own }));
  const others = groups.filter((group) => !isFamily(group)).flatMap(([, own]) => own);
  if (families.length === 0 || (families.length === 1 && others.length === 0)) return [{ name: "", items }];
  return others.length === 0 ? families : [...families, { name: "More", items: others }];
}

/** The words that a search can find: those of titles, slugs and tags. */
function searchWords(items: GalleryItem[]): string[] {
  const texts = items.flatMap(({ title, slug, tags }) => [title, slug, ...tags]);
  return [...new Set(texts.flatMap((text) => normalize(text).split(/[^\p{L}\p{N}]+/u)))].filter(
    ({ length }) => length > 2,
  );
}

/** A search with its misspelt words corrected, if that finds something. */
export function correctSearch(items: GalleryItem[], filter: GalleryFilter): string | undefined {
  const words = searchWords(items);
  const typed = normalize(filter.q).split(/\s+/).filter(Boolean);
  const q = typed.map((word) => nearestName(word, words) ?? word).join(" ");
  return q !== normalize(filter.q) && filterGallery(items, { ...filter, q }).length > 0 ? q : undefined;
}
