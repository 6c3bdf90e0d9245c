import { describe, expect, it } from "vitest";
import type { GalleryItem } from "../../app/gallery/gallery-filter.ts";
import {
  BATCH_SIZE,
  correctSearch,
  countShapes,
  countSizes,
  countTags,
  filterGallery,
  galleryHref,
  groupByFamily,
  isFiltering,
  MAX_SEARCH_CHARS,
  readFilter,
} from "../../app/gallery/gallery-filter.ts";

function item(slug: string, rest: Partial<GalleryItem> = {}): GalleryItem {
  return { slug, title: slug, description: "", tags: [], width: 1200, height: 630, variantCount: 1, ...rest };
}

const ITEMS = [
  item("blog/article", { title: "Article card", tags: ["blog", "card"] }),
  item("menu/cafe", { title: "Café menu", description: "What there is today", width: 1080, height: 1920 }),
  item("social/quote", { title: "Quote card", tags: ["social", "card"], width: 1080, height: 1080 }),
];

function found(query: string): string[] {
  return filterGallery(ITEMS, readFilter(new URLSearchParams(query))).map(({ slug }) => slug);
}

describe("the search in the gallery", () => {
  it("finds templates that contain every word, in any part, order, case and accents", () => {
    expect(found("")).toHaveLength(3);
    expect(found("q=card")).toEqual(["blog/article", "social/quote"]);
    expect(found("q=CARD quote")).toEqual(["social/quote"]);
    expect(found("q=cafe")).toEqual(["menu/cafe"]);
    expect(found("q=CAFÉ today")).toEqual(["menu/cafe"]);
    expect(found("q=blog/")).toEqual(["blog/article"]);
    expect(found("q=card nowhere")).toEqual([]);
  });

  it("normalises a template once per search, and cuts very long searches", () => {
    let reads = 0;
    const counted = Object.defineProperty(item("a/card"), "title", { get: () => `${++reads} card` });
    const filter = readFilter(new URLSearchParams({ q: "card ".repeat(3_000) }));
    expect(filterGallery([counted], filter)).toHaveLength(1);
    expect(reads).toBe(1);
    expect(filter.q).toHaveLength(MAX_SEARCH_CHARS);
  });

  it("finds a size in any notation", () => {
    for (const typed of ["1080x1920", "1080 x 1920", "1080×1920", "1080 × 1920"]) {
      expect(found(`q=${encodeURIComponent(typed)}`)).toEqual(["menu/cafe"]);
    }
  });

  it("keeps templates that have all tags and the size or shape", () => {
    expect(found("tag=card")).toEqual(["blog/article", "social/quote"]);
    expect(found("tag=card&tag=social")).toEqual(["social/quote"]);
    expect(found("tag=car")).toEqual([]);
    expect(found("size=landscape")).toEqual(["blog/article"]);
    expect(found("size=portrait")).toEqual(["menu/cafe"]);
    expect(found("size=1080x1080&tag=card")).toEqual(["social/quote"]);
  });
});

describe("the address of the gallery", () => {
  it("contains the filter without default values, and is read back", () => {
    expect(galleryHref(readFilter(new URLSearchParams("q=+&size=&tag=&show=12")))).toBe("/");
    const filter = { q: "café & more", tags: ["a", "b c"], size: "portrait", show: 2 * BATCH_SIZE };
    const href = galleryHref(filter);
    expect(readFilter(new URL(href, "http://local").searchParams)).toEqual(filter);
  });

  it("ignores invalid values", () => {
    for (const show of ["-1", "1e99", "many", "0", "49.5"]) {
      expect(readFilter(new URLSearchParams({ show })).show).toBe(BATCH_SIZE);
    }
    expect(readFilter(new URLSearchParams("tag=a&tag=a")).tags).toEqual(["a"]);
    expect(isFiltering(readFilter(new URLSearchParams("q=%20&show=96")))).toBe(false);
  });
});

describe("the options of the filter", () => {
  it("are counted, most used first", () => {
    expect(countTags(ITEMS)).toEqual([
      { value: "card", count: 2 },
      { value: "blog", count: 1 },
      { value: "social", count: 1 },
    ]);
    expect(countSizes(ITEMS).map(({ value }) => value)).toEqual(["1080x1080", "1080x1920", "1200x630"]);
    expect(countShapes(ITEMS).map(({ value }) => value)).toEqual(["landscape", "portrait", "square"]);
  });
});

describe("the families of the gallery", () => {
  const named = (...slugs: string[]) =>
    groupByFamily(slugs.map((slug) => item(slug))).map(({ name, items }) => [name, ...items.map(({ slug }) => slug)]);

  it("are the folders of templates, and those that are alone come last", () => {
    expect(named("blog/a", "card", "data/a", "dev/a", "dev/b", "food-and-drink/a", "food-and-drink/b/c")).toEqual([
      ["Software", "dev/a", "dev/b"],
      ["Food and drink", "food-and-drink/a", "food-and-drink/b/c"],
      ["More", "blog/a", "card", "data/a"],
    ]);
  });

  it("have no names where they tell nothing apart", () => {
    expect(named("blog/a", "data/a")).toEqual([["", "blog/a", "data/a"]]);
    expect(named("blog/a", "blog/b")).toEqual([["", "blog/a", "blog/b"]]);
    expect(named()).toEqual([[""]]);
  });
});

describe("a search that finds nothing", () => {
  const corrected = (query: string) => correctSearch(ITEMS, readFilter(new URLSearchParams(query)));

  it("is corrected where that finds something", () => {
    expect(corrected("q=quot crad")).toBe("quote card");
    expect(corrected("q=Artikle")).toBe("article");
    expect(corrected("q=zebra")).toBeUndefined();
    expect(corrected("q=qoute&tag=blog")).toBeUndefined();
  });
});
