import { afterAll, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { inFieldOrder, overlongTexts } from "#lib/templates/warnings.ts";
import { drawCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";

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
  const { template, warnings, ...drawn } = await drawCard(
    {
      "template.json": manifestWith({ rows: ROWS }, { width: 400, height: 600 }),
      "template.html": HTML,
      "style.css": '.name { width: 300px; font: 40px "Inter"; } .note { width: 300px; font: 20px "Inter"; }',
    },
    { rows },
  );
  const overlong = overlongTexts({ template, ...drawn });
  return { fits: drawn.measured.fits, warnings: inFieldOrder(template, warnings), overlong };
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
