import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EditValue,
  effectiveEdits,
  type PickedImage,
  requestData,
  type StudioTemplate,
  snippetData,
} from "../../app/(studio)/templates/edits.ts";
import { pickerColor, withHash } from "../../app/(studio)/templates/fields/hex-color.ts";
import { readImageEdit, writeImageEdit } from "../../app/(studio)/templates/fields/image/image-edit.ts";
import { nearestSlugs } from "../../app/(studio)/templates/nearest-names.ts";
import { LANGUAGES } from "../../app/(studio)/templates/snippets/languages.ts";
import { readAddress, writeAddress } from "../../app/(studio)/templates/studio-address.ts";

const common = { required: false };

const TEMPLATE: StudioTemplate = {
  slug: "social/quote",
  title: "Quote",
  description: "",
  tags: [],
  width: 10,
  height: 10,
  defaultVariant: "book",
  variants: ["book", "poster"],
  fields: {
    quote: { ...common, type: "text", kind: "words", label: "Quote", maxLength: 5_000, multiline: true },
    size: { ...common, type: "number", label: "Size", min: 0, max: 9, integer: false, default: 3 },
    torn: { ...common, type: "boolean", label: "Torn" },
    portrait: { ...common, type: "image", label: "Portrait", fit: "cover", focus: { x: 0, y: 0 }, onError: "error" },
  },
  values: { book: { quote: "Lock up" }, poster: { quote: "Power", torn: true } },
  ownImages: { book: ["portrait"], poster: [] },
};

const PICKED: PickedImage = {
  file: "a.png",
  mediaType: "image/png",
  bytes: 3,
  width: 1,
  height: 1,
  url: "data:image/png;base64,AAAA",
};

const reopened = (query: string) => readAddress(TEMPLATE, new URLSearchParams(query));

describe("the address of a template's page", () => {
  it("holds no half of a surrogate pair, with which the markup of the server would differ from that of the browser", () => {
    const { query } = writeAddress(TEMPLATE, { variant: "book", edits: { quote: "a\ud800" } });
    expect(reopened(query).edits).toEqual({ quote: "a\ufffd" });
  });

  it("holds no image file, nor what looks like one, in a field of any type", () => {
    const code = { ...common, type: "code", label: "Code", language: "text", maxLength: 9, maxLines: 1 } as const;
    const read = (value: unknown) =>
      readAddress({ ...TEMPLATE, fields: { code } }, new URLSearchParams({ data: JSON.stringify({ code: value }) }))
        .edits;
    expect(read({ text: "a", lines: "1" })).toEqual({ code: { text: "a", lines: "1" } });
    for (const likeImage of [PICKED, { url: "x", mediaType: "y" }])
      for (const value of [likeImage, { text: "a", lines: likeImage }]) expect(read(value)).toEqual({});
  });

  it("holds no values that are nested more deeply than those of a request may be", () => {
    const levels = 20_000;
    for (const name of Object.keys(TEMPLATE.fields)) {
      const data = `{"${name}":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      expect(readAddress(TEMPLATE, new URLSearchParams({ data })).edits).toEqual({});
    }
  });

  it("restores the variant and the edits, with any text", () => {
    const edits = fc.record(
      {
        quote: fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.constant(" & = + % # \u0000")),
        size: fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
          fc.constant(""),
        ),
        torn: fc.boolean(),
        portrait: fc.constantFrom("", "https://example.com/a.png?b=c&d"),
      },
      { requiredKeys: [] },
    );
    const variants = fc.constantFrom("book", "poster");
    fc.assert(
      fc.property(variants, edits, (variant, edited) => {
        const { query, isTooLong } = writeAddress(TEMPLATE, { variant, edits: edited });
        expect(isTooLong).toBe(false);
        expect(reopened(query)).toEqual({ variant, edits: edited });
      }),
    );
  });

  it("is short without edits, and says what it cannot contain", () => {
    expect(writeAddress(TEMPLATE, { variant: "book", edits: {} }).query).toBe("");
    const picked = writeAddress(TEMPLATE, { variant: "poster", edits: { portrait: PICKED, quote: "x" } });
    expect(picked).toMatchObject({ images: ["portrait"], isTooLong: false });
    expect(reopened(picked.query)).toEqual({ variant: "poster", edits: { quote: "x" } });
    const long = writeAddress(TEMPLATE, { variant: "poster", edits: { quote: "語".repeat(5_000) } });
    expect(long).toEqual({ query: "?variant=poster", images: [], isTooLong: true });
  });

  it.each([
    "?data=",
    "?data={",
    "?data=null",
    "?data=[1]",
    "?data=7",
    '?data={"quote":1,"size":"x","torn":"true","nobody":"x"}',
    '?data={"size":1e999}',
    '?data={"size":-1e999}',
    '?data={"__proto__":{"quote":"x"},"constructor":"x"}',
    '?data={"portrait":"data:image/png;base64,AAAA"}',
    '?data={"portrait":"javascript:alert(1)"}',
    "?variant=nothing&variant=poster",
  ])("ignores %s", (query) => {
    expect(reopened(query)).toEqual({ variant: "book", edits: {} });
  });
});

describe("a value with missing numbers", () => {
  const charted: StudioTemplate = {
    ...TEMPLATE,
    fields: {
      figures: { ...common, type: "series", label: "Figures", min: -9, max: 9, maxPoints: 9, maxSeries: 2 },
      span: { ...common, type: "range", label: "Span", of: { type: "date", time: false } },
    },
    values: { book: {}, poster: {} },
    ownImages: {},
  };
  const edits = {
    figures: [1, null, { label: "Tue", value: null }] as EditValue,
    span: { from: null, to: "2026-01-02" },
  };

  it("is read from a link, and written to links, requests and code", () => {
    const query = `?${new URLSearchParams({ data: JSON.stringify(edits) })}`;
    const state = readAddress(charted, new URLSearchParams(query));
    expect(state.edits).toEqual(edits);
    expect(writeAddress(charted, state)).toEqual({ query, images: [], isTooLong: false });
    expect(requestData(state.edits)).toEqual(edits);
    const code = LANGUAGES.python.write({
      origin: "",
      template: "x",
      data: snippetData(state.edits),
      needsToken: false,
    });
    expect(code).toContain('[1, None, {"label": "Tue", "value": None}]');
  });
});

describe("an image with a focus and a zoom", () => {
  const crop = { focus: { x: 0.25, y: 1 }, zoom: 1.5 };

  it("is part of a link where the image is at an address, and left out where it was chosen", () => {
    const linked = { portrait: { src: "https://example.com/a.png", ...crop } };
    const { query, images } = writeAddress(TEMPLATE, { variant: "book", edits: linked });
    expect(reopened(query)).toEqual({ variant: "book", edits: linked });
    expect(images).toEqual([]);
    const picked = { portrait: { src: PICKED, ...crop } };
    expect(writeAddress(TEMPLATE, { variant: "book", edits: picked })).toMatchObject({
      query: "",
      images: ["portrait"],
    });
    expect(reopened(`?data=${JSON.stringify({ portrait: { src: "data:image/png;base64,AAAA" } })}`).edits).toEqual({});
  });

  it("is sent as data, and read from a file by code", () => {
    const edits = { portrait: { src: PICKED, ...crop } };
    expect(requestData(edits)).toEqual({ portrait: { src: PICKED.url, ...crop } });
    const request = { origin: "", template: "x", data: snippetData(edits), needsToken: false };
    for (const { write } of Object.values(LANGUAGES)) {
      const code = write(request);
      expect(code).toContain("a.png");
      expect(code).toContain("1.5");
      expect(code).not.toContain(PICKED.url);
    }
  });

  it("is read into its parts, and written as the image alone where it has none", () => {
    expect(readImageEdit({ src: PICKED, ...crop })).toEqual({ source: PICKED, ...crop });
    expect(readImageEdit({ src: "x", focus: "center" })).toEqual({ source: "x", focus: { x: 0.5, y: 0.5 }, zoom: 1 });
    expect(readImageEdit(undefined)).toEqual({ source: undefined, focus: undefined, zoom: 1 });
    const whole = { source: PICKED, focus: undefined, zoom: 1 };
    expect(writeImageEdit(whole)).toBe(PICKED);
    expect(writeImageEdit({ ...whole, zoom: 2 })).toEqual({ src: PICKED, zoom: 2 });
    expect(writeImageEdit({ ...whole, focus: crop.focus })).toEqual({ src: PICKED, focus: crop.focus });
    expect(writeImageEdit({ source: undefined, ...crop })).toBe("");
  });
});

describe("an edit", () => {
  const effective = (variant: string, edits: Parameters<typeof effectiveEdits>[2]) =>
    effectiveEdits(TEMPLATE, variant, edits);

  it("differs from the value of the variant", () => {
    expect(effective("book", { quote: "Lock up", size: 3, torn: false, portrait: "" })).toEqual({
      torn: false,
      portrait: "",
    });
    expect(effective("poster", { quote: "Lock up", torn: true, portrait: "" })).toEqual({ quote: "Lock up" });
    expect(effective("book", { torn: "", size: "" })).toEqual({ size: "" });
  });

  it("is none where only the order of keys differs", () => {
    const priced = { ...TEMPLATE, values: { book: { size: { amount: 5, currency: "EUR" } } } };
    expect(effectiveEdits(priced, "book", { size: { currency: "EUR", amount: 5 } })).toEqual({});
    const other = { size: { amount: 5, currency: "JPY" } };
    expect(effectiveEdits(priced, "book", other)).toEqual(other);
  });

  it("is sent in the format of the service, images as data", () => {
    expect(requestData({ quote: "a\ud800b", portrait: PICKED, size: 0 })).toEqual({
      quote: "a\ufffdb",
      portrait: PICKED.url,
      size: 0,
    });
  });
});

it.each([
  ["#abc", "#aabbcc"],
  ["#abcd", "#aabbcc"],
  ["#A1B2C3", "#a1b2c3"],
  ["#a1b2c380", "#a1b2c3"],
  ["#ab", undefined],
  ["red", undefined],
  ["", undefined],
])("the picker shows %s as %s", (text, shown) => {
  expect(pickerColor(text)).toBe(shown);
});

it("a colour without `#` gets one", () => {
  expect([" abc ", " #abc", "a1b2c3", "red", "#12"].map(withHash)).toEqual(["#abc", "#abc", "#a1b2c3", "red", "#12"]);
});

describe("an unknown slug", () => {
  const SLUGS = ["blog/article", "document/certificate", "event/ticket", "social/quote", "social/story"];

  it.each([
    ["social/qoute", ["social/quote", "social/story"]],
    ["quote", ["social/quote"]],
    ["event/tickets", ["event/ticket"]],
    ["xyz", []],
  ])("%s suggests %j", (slug, expected) => {
    expect(nearestSlugs(slug, SLUGS)).toEqual(expected);
  });
});
