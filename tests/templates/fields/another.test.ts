import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";

const MONEY_RANGE = { type: "range", of: { type: "money", currency: "EUR", min: 0, max: 100 } };
const DATE = { type: "date", time: true };

test.each([
  ["the end of a range", MONEY_RANGE, { from: 10, to: 100 }, "{{ value.to }}", { from: 5, to: 10 }],
  ["the start of a range", MONEY_RANGE, { from: 0, to: 20 }, "{{ value.from }}", { from: 5, to: 10 }],
  ["a total", { type: "progress" }, { done: 3, total: 12 }, "{{ value.total }}", 0.5],
  ["a progress of less than 1 %", { type: "progress" }, 0.004, "{{ value }}", 0.5],
  ["the hour of noon", DATE, "2026-05-01T12:30", "{{ value | date: '%I' }}", "2026-05-01T09:00"],
])(
  "%s that is shown alone is not told as ignored, though its field is required",
  async (_, declaration, value, html, own) => {
    const template = await compileCard({
      "template.json": manifestWith({ value: { ...declaration, label: "Value", required: true } }),
      "template.html": `<p>${html}</p>`,
      "content.json": JSON.stringify({ plain: { value: own } }),
    });
    const base = template.variants.plain?.values ?? {};
    const given = { value };
    const { values, issues } = await readFields({ declarations: template.fields, values: given, base, path: "/data" });
    expect(issues).toEqual([]);
    const document = composeDocument(template, values);
    expect(await documentWarnings({ template, base, values, given, document })).toEqual([]);
  },
);
