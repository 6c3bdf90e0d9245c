import type { GalleryItem } from "./gallery-item.ts";

/** Few enough that the page stays light with hundreds of templates: three screens of a large window. */
export const BATCH_SIZE = 48;

/** Of what is looked for, in characters: more than anybody types, and every word of it is looked for in every template. */
export const MAX_SEARCH_CHARS = 200;

const SHAPES = ["landscape", "portrait", "square"] as const;

/** What is looked for, as the address of the page says it. */
export type GalleryFilter = {
  /** Words, all of which have to be there. */
  q: string;
  /** All of which a template has to have. */
  tags: string[];
  /** A shape, or a size such as `1200x630`; empty for every size. */
  size: string;
  /** How many are shown at most. */
  show: number;
};

function shapeOf({ width, height }: Pick<GalleryItem, "width" | "height">): (typeof SHAPES)[number] {
  if (width === height) return "square";
  return width > height ? "landscape" : "portrait";
}

function sizeOf({ width, height }: Pick<GalleryItem, "width" | "height">): string {
  return `${width}x${height}`;
}

/** Reads `?q=&tag=&tag=&size=&show=`. Whatever makes no sense there counts as absent. */
export function readFilter(params: URLSearchParams): GalleryFilter {
  const show = Number(params.get("show"));
  return {
    q: (params.get("q") ?? "").slice(0, MAX_SEARCH_CHARS),
    tags: [...new Set(params.getAll("tag").filter((tag) => tag !== ""))],
    size: params.get("size") ?? "",
    show: Number.isSafeInteger(show) && show > BATCH_SIZE ? show : BATCH_SIZE,
  };
}

/** The address of the gallery with a filter, without what is as it is by itself. */
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

/** Letters without case and accents, and sizes however they are typed: `1200 × 630` is `1200x630`. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/(\d)\s*[x×]\s*(\d)/g, "$1x$2");
}

function haystackOf(item: GalleryItem): string {
  return plain([item.title, item.slug, item.description, ...item.tags, sizeOf(item), shapeOf(item)].join("\n"));
}

/** The templates that a filter leaves, in their order. */
export function filterGallery(items: GalleryItem[], { q, tags, size }: GalleryFilter): GalleryItem[] {
  const words = plain(q).split(/\s+/).filter(Boolean);
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

function countEach(values: string[]): Counted[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value, "en", { numeric: true }));
}

/** Every tag with the number of its templates, the most used first. */
export function countTags(items: GalleryItem[]): Counted[] {
  return countEach(items.flatMap(({ tags }) => tags));
}

/** Every size with the number of its templates, the most used first. */
export function countSizes(items: GalleryItem[]): Counted[] {
  return countEach(items.map(sizeOf));
}

/** The shapes that there are, in the order of {@link SHAPES}. */
export function countShapes(items: GalleryItem[]): Counted[] {
  const counted = countEach(items.map(shapeOf));
  return SHAPES.flatMap((shape) => counted.filter(({ value }) => value === shape));
}
