import { expect, it } from "vitest";
import { contrastWarnings } from "#lib/templates/contrast-warnings.ts";
import type { Template } from "#lib/templates/template.ts";

const FIELDS = { title: { type: "text" }, note: { type: "text" } };

const TEMPLATE = { fields: FIELDS } as unknown as Template;

const RUN = { field: "", share: 1, isLow: true, ratio: 1.5, want: 4.5, area: 10 };

it("the field of a text that is hard to read is found by its value, which is read once for all texts", () => {
  let reads = 0;
  const values = {
    note: "spring",
    get title() {
      reads++;
      return "in the spring";
    },
  };
  const texts = ["spring", " in the spring ", "late in the spring", "of spring", "by itself"];
  const contrasts = Array.from({ length: 1_000 }, (_, at) => ({ ...RUN, text: texts[at % texts.length] as string }));
  const shown = new Set(["spring", "in the spring"]);
  const warnings = contrastWarnings({ template: TEMPLATE, values, shown, contrasts });
  expect(warnings.map(({ path }) => path)).toEqual(["/data/note", "/data/title"]);
  expect(reads).toBe(1);
});
