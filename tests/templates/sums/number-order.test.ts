import { expect, test } from "vitest";
import { valueContents } from "#lib/proof/grid/value-contents.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { type FieldValues, templateManifest } from "#lib/templates/template.ts";
import { compileCard } from "../card.ts";
import { faultsOf as faultsOfFolder } from "../faults/faults-of.ts";
import { manifestWith, TITLE } from "../template-folder.ts";
import { shippedTemplate } from "./shipped-template.ts";

const carousel = await shippedTemplate("social/carousel");

async function faultsOf(values: FieldValues): Promise<string[]> {
  // Page 4 of 6.
  const base = carousel.variants.sagar?.values ?? {};
  const { issues } = await readFields({ declarations: carousel.fields, values, base, path: "/data" });
  return issues.map(({ path, code, message }) => `${path} ${code}: ${message}`);
}

const HINT = "of the variant. Send that one too, or null where it is to be left out.";

test.each([
  [{ page: 5, pages: 3 }, ['/data/page out_of_range: Got 5, want at most 3, which is "pages".']],
  [{ page: 7 }, [`/data/page out_of_range: Got 7, want at most 6, which is "pages" ${HINT}`]],
  [{ pages: 3 }, [`/data/pages out_of_range: Got 3, want at least 4, which is "page" ${HINT}`]],
  [{ page: 7, pages: null }, []],
  [{ page: 7, pages: 7 }, []],
])("a slide is no page beyond the last one: %j", async (values, wanted) => {
  expect(await faultsOf(values)).toEqual(wanted);
});

test("the proof tries pages that a slide can have", async () => {
  const [variant] = Object.values(carousel.variants);
  if (!variant) throw new Error("The carousel has no variant.");
  const contents = valueContents(carousel, variant);
  expect(contents.find(({ content }) => content === "most:page")?.data).toEqual({ page: 20, pages: 20 });
  expect(contents.find(({ content }) => content === "least:pages")?.data).toEqual({ page: 1, pages: 1 });
});

test("the proof tries no value that the other number cannot have", async () => {
  const number = { type: "number", label: "Number", integer: true };
  const fields = {
    title: TITLE,
    done: { ...number, min: 0, max: 9, atMost: "all" },
    all: { ...number, min: 1, max: 12 },
  };
  const template = await compileCard({
    "template.json": manifestWith(fields),
    "template.html": "<h1>{{ title }} {{ done }} {{ all }}</h1>\n",
  });
  const contents = valueContents(template, template.variants.plain ?? expect.fail("There is no variant."));
  expect(Object.fromEntries(contents.map(({ content, data }) => [content, data]))).toEqual({
    "least:done": { done: 0, all: 1 },
    "most:done": { done: 9, all: 9 },
    "least:all": { all: 1, done: 1 },
    "most:all": { all: 12, done: 9 },
  });
});

test("a folder with a number above its limit is told so, without advice for requests", async () => {
  const number = { type: "number", label: "Number" };
  const fields = { title: TITLE, page: { ...number, default: 2, atMost: "pages" }, pages: { ...number, default: 1 } };
  expect(
    await faultsOfFolder({
      "template.json": manifestWith(fields),
      "template.html": "<h1>{{ title }} {{ page }} {{ pages }}</h1>\n",
      "content.json": JSON.stringify({
        plain: { title: "A", page: 3, pages: 5 },
        other: { title: "B", page: 4, pages: 3 },
      }),
    }),
  ).toEqual([
    expect.stringMatching(/fields\.pages\.default: Got 1, want at least 2, which is "page"\.$/),
    expect.stringMatching(/other\.page: Got 4, want at most 3, which is "pages"\.$/),
  ]);
});

test("a limit that is no number of the template is a fault", () => {
  const manifest = manifestWith({ title: TITLE, page: { type: "number", label: "Page", atMost: "title" } });
  const { error } = templateManifest.safeParse(JSON.parse(manifest));
  const message = 'Got "title", want the name of a field of type number, outside of lists';
  expect(error?.issues).toMatchObject([{ path: ["fields", "page", "atMost"], message }]);
});
