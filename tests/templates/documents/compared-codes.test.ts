import { beforeEach, expect, test, vi } from "vitest";
import { composeBody, composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";

vi.mock("#lib/templates/compose.ts", { spy: true });

beforeEach(() => {
  vi.mocked(composeBody).mockClear();
});

const FIELDS = {
  pass: { type: "barcode", label: "Pass", symbology: "data-matrix" },
  entry: { type: "qr", label: "Entry" },
  isShown: { type: "boolean", label: "Shown" },
};

async function warn(isShown: boolean) {
  const template = await compileCard({
    "template.json": manifestWith(FIELDS),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html":
      '{% if isShown %}{% if pass %}<img data-barcode="pass" src="{{ pass.src }}" alt="">{% endif %}{% if entry %}<img data-qr="entry" src="{{ entry }}" alt="">{% endif %}{% endif %}',
  });
  const edits = { pass: "A-1", entry: "A-1", isShown };
  const { values, issues } = await readFields({ declarations: template.fields, values: edits, path: "/data" });
  expect(issues).toEqual([]);
  const document = composeDocument(template, values);
  vi.mocked(composeBody).mockClear();
  return await documentWarnings({ template, base: {}, values, document });
}

test("codes that a picture shows are not compared", async () => {
  expect(await warn(true)).toEqual([]);
  expect(composeBody).not.toHaveBeenCalled();
});

test("codes that a picture does not show are compared without their images", async () => {
  const ignored = await warn(false);
  expect(ignored.map(({ path, code }) => `${path} ${code}`)).toEqual([
    "/data/pass field_ignored",
    "/data/entry field_ignored",
  ]);
  for (const [, values] of vi.mocked(composeBody).mock.calls) expect(JSON.stringify(values).length).toBeLessThan(200);
});

test("texts with parts that are set off are not compared where a picture shows them", async () => {
  const template = await compileCard({
    "template.json": manifestWith({
      title: { type: "emphasis", label: "Title" },
      plain: { type: "text", label: "Plain", required: false },
      note: { type: "emphasis", label: "Note" },
    }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": "<p>{{ title }}{{ plain }}</p>{% if note == 'x' %}<p>{{ note }}</p>{% endif %}",
  });
  const warningsOf = async (edits: Record<string, string>) => {
    const { values } = await readFields({ declarations: template.fields, values: edits, path: "/data" });
    const document = composeDocument(template, values);
    vi.mocked(composeBody).mockClear();
    return await documentWarnings({ template, base: {}, values, document });
  };
  expect(await warningsOf({ title: "**Bold** and *italic*" })).toEqual([]);
  expect(composeBody).not.toHaveBeenCalled();
  expect(await warningsOf({ title: "==a==", note: "**b**" })).toMatchObject([
    { path: "/data/note", code: "field_ignored" },
  ]);
  expect(composeBody).toHaveBeenCalledTimes(2);
  // The same words elsewhere, without emphasis, are another text.
  expect(await warningsOf({ plain: "b", note: "**b**" })).toMatchObject([
    { path: "/data/note", code: "field_ignored" },
  ]);
});
