import { expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";

const { templates } = await compileRegistry(`${PROJECT_DIR}/templates`);

/** The text of an element of the article card, without the marks around it. */
async function textOf(element: string, { variant, data }: { variant: string; data: Record<string, unknown> }) {
  const template = templates.find(({ slug }) => slug === "blog/article");
  if (!template) throw new Error("There is no article card.");
  const base = template.variants[variant]?.values ?? {};
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  const found = new RegExp(`<p class="${element}">(.*?)</p>`, "s").exec(composeDocument(template, values).html)?.[1];
  return found?.replaceAll(/<[^>]+>|[\u2066-\u2069]/g, "").trim();
}

test.each([
  ["Hebrew", {}, "14.1.2026"],
  ["Thai", { title: "พบกันที่ท่าเรือเก่าในคืนพระจันทร์เต็มดวงเดือนหน้า" }, "14/1/2569"],
  ["Burmese", { title: "လပြည့်ညတွင် ဆိပ်ကမ်းဟောင်း၌ တွေ့ဆုံကြပါစို့" }, "၁၄/၁/၂၀၂၆"],
])("a date in numbers is written as in %s", async (_, data, date) => {
  expect(await textOf("date", { variant: "midnight", data })).toBe(date);
});

test("beside a cover, the minutes are shown with their word only", async () => {
  const variant = "harbour";
  expect(await textOf("duration", { variant, data: {} })).toBe("24 min read");
  expect(await textOf("duration", { variant, data: { minutesLabel: null } })).toBeUndefined();
});
