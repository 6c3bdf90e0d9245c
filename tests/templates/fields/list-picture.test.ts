import { afterAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { inFieldOrder, layoutWarnings, overlongTexts } from "#lib/templates/warnings.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../template-folder.ts";

afterAll(() => shutDown());

const ROWS = {
  type: "list",
  label: "Rows",
  item: {
    name: {
      type: "text",
      label: "Name",
      required: true,
      fit: { mode: "shrink", minSize: 20, maxLines: 1, group: "names" },
    },
    note: { type: "text", label: "Note", fit: { mode: "shrink", minSize: 10, maxLines: 1 } },
  },
  max: 4,
};

const HTML = `{% for row in rows %}<p class="name" data-fit="rows.name">{{ row.name }}</p>
{% if row.note %}<p class="note" data-fit="rows.note">{{ row.note }}</p>{% endif %}{% endfor %}`;

async function draw(rows: object[]) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ rows: ROWS }, { width: 400, height: 600 }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": HTML,
    "style.css": '.name { width: 300px; font: 40px "Inter"; } .note { width: 300px; font: 20px "Inter"; }',
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  const [template] = templates;
  if (!template) throw new Error("The template did not compile.");
  const { values, issues } = await readFields({ declarations: template.fields, values: { rows }, path: "/data" });
  expect(issues).toEqual([]);
  const { measured } = await renderPicture(composeDocument(template, values));
  const drawn = { template, base: {}, values, measured: measured as Measurements };
  const warnings = inFieldOrder(template, layoutWarnings(drawn));
  return { fits: drawn.measured.fits, warnings, overlong: overlongTexts(drawn) };
}

test("items of one group have one size, other fields have their own, and warnings name the items in order", async () => {
  const { fits, warnings, overlong } = await draw([
    { name: "Ada", note: "short" },
    { name: "Wolfgang Amadeus", note: "a note that is so long that it has to be made smaller" },
    { name: "Bo" },
  ]);
  const sizeOf = (id: string) => fits.find(({ field }) => field === id)?.to;
  expect(sizeOf("rows[1].name")).toBeLessThan(40);
  expect([sizeOf("rows[0].name"), sizeOf("rows[2].name")]).toEqual([sizeOf("rows[1].name"), sizeOf("rows[1].name")]);
  expect(sizeOf("rows[0].note")).toBe(20);
  expect(sizeOf("rows[1].note")).toBeLessThan(20);
  expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "text_shrunk /data/rows/0/name",
    "text_shrunk /data/rows/1/name",
    "text_shrunk /data/rows/1/note",
    "text_shrunk /data/rows/2/name",
  ]);
  expect(overlong).toEqual([]);
});

test("a text of an item of which less than half would show is refused where it is", async () => {
  const { overlong } = await draw([{ name: "Ada" }, { name: "x".repeat(90) }]);
  expect(overlong.map(({ code, path }) => `${code} ${path}`)).toEqual(["text_too_long /data/rows/1/name"]);
});
