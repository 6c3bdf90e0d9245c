import { describe, expect, it } from "vitest";
import { fieldDeclaration, type ListDeclaration } from "#lib/templates/fields/field-types.ts";
import { effectiveEdits, type PickedImage, type StudioTemplate } from "../../app/(studio)/templates/edits.ts";
import { fieldWords } from "../../app/(studio)/templates/field-words.ts";
import { itemWords } from "../../app/(studio)/templates/fields/list-items.ts";
import { LANGUAGES } from "../../app/(studio)/templates/snippets/languages.ts";
import { readAddress, writeAddress } from "../../app/(studio)/templates/studio-address.ts";

const ROWS = fieldDeclaration.parse({
  type: "list",
  label: "Rows",
  item: {
    name: { type: "text", label: "Name", required: true },
    value: { type: "number", label: "Figure" },
    photo: { type: "image", label: "Photo" },
  },
  max: 5,
}) as ListDeclaration;

const TEMPLATE: StudioTemplate = {
  slug: "data/ranking",
  title: "Ranking",
  description: "",
  tags: [],
  width: 10,
  height: 10,
  defaultVariant: "own",
  variants: ["own"],
  fields: { rows: ROWS },
  values: { own: { rows: [{ name: "Ada", value: 1 }] } },
  ownImages: { own: [] },
};

const PICKED: PickedImage = {
  file: "ada.png",
  mediaType: "image/png",
  bytes: 9,
  width: 1,
  height: 1,
  url: "data:image/png;base64,AA==",
};

describe("the edits of a list", () => {
  it("come back from the address, without images that were chosen from files", () => {
    const edits = { rows: [{ name: "Bo", value: 2 }, { name: "Cy", photo: PICKED }, {}] };
    const { query, images } = writeAddress(TEMPLATE, { variant: "own", edits });
    expect(images).toEqual(["rows"]);
    const back = readAddress(TEMPLATE, new URLSearchParams(query));
    expect(back.edits).toEqual({ rows: [{ name: "Bo", value: 2 }, { name: "Cy" }, {}] });
  });

  it("keep only what the items declare", () => {
    const data = JSON.stringify({ rows: [{ name: 5, value: 2, old: 1 }] });
    expect(readAddress(TEMPLATE, new URLSearchParams({ data })).edits).toEqual({ rows: [{ value: 2 }] });
    const broken = JSON.stringify({ rows: [1, null] });
    expect(readAddress(TEMPLATE, new URLSearchParams({ data: broken })).edits).toEqual({});
  });

  it("are none where the items are those of the variant", () => {
    expect(effectiveEdits(TEMPLATE, "own", { rows: [{ value: 1, name: "Ada" }] })).toEqual({});
    expect(effectiveEdits(TEMPLATE, "own", { rows: [] })).toEqual({ rows: [] });
  });

  it("are written by every language", () => {
    const request = {
      origin: "http://localhost:3000",
      template: "data/ranking",
      data: { rows: [{ name: "Bo", value: 2 }, { name: "Cy" }] },
      needsToken: false,
    };
    for (const { write } of Object.values(LANGUAGES)) expect(write(request)).toMatch(/"?Bo"[\s\S]*2[\s\S]*"Cy"/);
    expect(LANGUAGES.curl.write(request)).toContain('"rows": [{"name": "Bo", "value": 2}, {"name": "Cy"}]');
  });
});

it("an item is called by its first text", () => {
  expect(itemWords(ROWS, { value: 4, name: "Ada" })).toBe("Ada");
  expect(itemWords(ROWS, { name: "", value: 4 })).toBe("4");
  expect(itemWords(ROWS, {})).toBe("");
});

it.each([
  ["/data/rows", "Rows"],
  ["/data/rows/2", "Rows 3"],
  ["/data/rows/2/name", "Rows 3, Name"],
  ["/data", "/data"],
])("%s is called %s", (path, words) => {
  expect(fieldWords(TEMPLATE, path)).toBe(words);
});
