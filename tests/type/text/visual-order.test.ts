import { afterAll, expect, test } from "vitest";
import { explainPicture } from "#lib/proof/explain.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import type { ListValue } from "#lib/templates/fields/list.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";

afterAll(() => shutDown());

const { templates } = await getRegistry();

/**
 * Runs in the page. For each visible fitted element it compares the order of the characters on each line with that of
 * the same line in an element of its own, which has the direction that the Unicode algorithm finds for the whole text.
 */
const COMPARE = `(() => {
  const linesOf = (element) => {
    const lines = new Map();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.data.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const [box] = range.getClientRects();
        if (!box || node.data[at].trim() === "") continue;
        const line = Math.round(box.bottom / 4);
        lines.set(line, [...(lines.get(line) ?? []), { character: node.data[at], middle: (box.left + box.right) / 2 }]);
      }
    }
    return [...lines.values()];
  };
  const orderOf = (line) => line.toSorted((a, b) => a.middle - b.middle).map(({ character }) => character).join("");
  const wrong = [];
  for (const element of document.querySelectorAll("[data-fit]")) {
    if (!element.checkVisibility() || getComputedStyle(element).writingMode !== "horizontal-tb") continue;
    for (const line of element.textContent.trim().split("\\n")) {
      const reference = document.createElement("div");
      reference.setAttribute("dir", "auto");
      reference.style.cssText = "position:absolute;white-space:pre;font:20px sans-serif";
      reference.textContent = line.trim();
      document.body.append(reference);
      const wanted = linesOf(reference).map(orderOf).join("");
      reference.remove();
      const got = linesOf(element).map(orderOf);
      if (got.length === element.textContent.trim().split("\\n").length && !got.includes(wanted))
        wrong.push({ field: element.dataset.fit, got, wanted });
    }
  }
  return wrong;
})()`;

const HEBREW = "ליל ירח";
/** Texts that move when they take on the direction of a layout in the other one. */
const MOVING = { ltr: "9 pm (50-m)!", rtl: "3 ג׳ (ב-5)!" };

/** Lets the texts decide the language, as a request does that replaces the leading one. */
const UNSTATED = { language: null };

function textFields({ fields }: Template): [name: string, maxLength: number][] {
  const texts = Object.entries(fields).flatMap(([name, field]) =>
    field.type === "text" || field.type === "emphasis" ? [{ name, field }] : [],
  );
  // The leading one first.
  const [required, optional] = [true, false].map((isRequired) =>
    texts.filter(({ field }) => field.required === isRequired),
  );
  return [...(required ?? []), ...(optional ?? [])].map(({ name, field }) => [name, field.maxLength]);
}

function mixedValues(template: Template, leading: string, others: string): FieldValues {
  const [first, ...rest] = textFields(template);
  const { values } = template.variants[template.defaultVariant] ?? { values: {} };
  const texts = rest.map(([name, maxLength]) => [name, others.slice(0, maxLength).trim()]);
  return { ...values, ...Object.fromEntries(texts), ...UNSTATED, ...(first && { [first[0]]: leading }) };
}

const cases = templates.flatMap((template) => [
  {
    slug: template.slug,
    what: "Latin fields in a Hebrew layout",
    values: mixedValues(template, HEBREW, MOVING.ltr),
    template,
  },
  {
    slug: template.slug,
    what: "Hebrew fields in a Latin layout",
    values: mixedValues(template, "Moon", MOVING.rtl),
    template,
  },
]);

test.each(cases)("$slug keeps the order of $what", async ({ template, values }) => {
  const { html, width, height, sharesPage } = composeDocument(template, values);
  const { measured } = await renderPicture({ html, width, height, sharesPage, measure: COMPARE });
  expect(measured).toEqual([]);
});

/** The items of each list, with every text of theirs in Hebrew: they lead where all other texts are names. */
function hebrewLists({ fields }: Template, values: FieldValues): FieldValues {
  const lists = Object.entries(fields).flatMap(([name, field]) => (field.type === "list" ? [{ name, field }] : []));
  return Object.fromEntries(
    lists.map(({ name, field }) => {
      const texts = Object.entries(field.item).flatMap(([key, { type }]) => (type === "text" ? [[key, HEBREW]] : []));
      const list = values[name] as ListValue | null;
      const items = list?.items.map((item) => ({ ...item, ...Object.fromEntries(texts) }));
      return [name, list && { ...list, items }];
    }),
  );
}

test.each(templates)("$slug mirrors with its leading text", (template) => {
  const { values } = template.variants[template.defaultVariant] ?? { values: {} };
  const texts = Object.fromEntries(textFields(template).map(([name]) => [name, HEBREW]));
  const hebrew = { ...hebrewLists(template, values), ...texts };
  expect(composeDocument(template, { ...values, ...hebrew, ...UNSTATED }).html).toContain('dir="rtl"');
  expect(composeDocument(template, values).html).toContain('dir="ltr"');
});

/** The words of a fitted element, each @ and each bracket, as they stand on each line from right to left. */
const READ = `(() => {
  const element = document.querySelector('[data-fit="NAME"]');
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]+|[@()]/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [box] = range.getClientRects();
      words.push({ word, line: Math.round(box.bottom / 8), left: box.left });
    }
  return words.sort((a, b) => a.line - b.line || b.left - a.left).map(({ word }) => word).join(" ");
})()`;

/** `read` is how the words of a text stand from right to left. */
type Reading = { slug: string; name: string; text: string; read?: string; data?: FieldValues };

test.each<Reading>([
  { slug: "news/card", name: "headline", text: "Apple تطلق الهاتف" },
  { slug: "social/quote", name: "quote", text: "Docker הוא כלי טוב" },
  { slug: "event/ticket", name: "title", text: "هاتف: +971 4 123 4567", read: "هاتف 4567 123 4 971" },
  ...[
    { text: "اكتبوا لنا\n@platen الآن", read: "اكتبوا لنا platen @ الآن" },
    { text: "زوروا example.org/@a الآن", read: "زوروا a @ org example الآن" },
    { text: "تابعوا @a@example.org الآن", read: "تابعوا org example @ a @ الآن" },
    { text: "ورشة C++ Lab غدا", read: "ورشة Lab C غدا" },
    { text: "ورشة C++ (C#) غدا", read: "ورشة ) C ( C غدا" },
    { text: "تابعوا Instagram (@platen) الآن", read: "تابعوا ) platen @ ( Instagram الآن" },
    { text: "أحمد (Platen™) و(علي)", read: "أحمد ) Platen ( و ( علي )" },
  ].map((words) => ({ slug: "commerce/receipt", name: "about", data: { language: "ar" }, ...words })),
  { slug: "place/listing", name: "contact", text: "טל׳ 03 123 4567", read: "טל 4567 123 03", data: { title: HEBREW } },
])(
  "in $slug, the words of $text are in the order in which they are read",
  async ({ slug, name, text, read = text, data = {} }) => {
    const template = templates.find((found) => found.slug === slug);
    if (!template) throw new Error(`No template ${slug}`);
    const { values } = template.variants[template.defaultVariant] ?? { values: {} };
    const composed = composeDocument(template, { ...values, ...UNSTATED, ...data, [name]: text });
    expect(composed.html).toContain('dir="rtl"');
    const { html, width, height, sharesPage } = composed;
    const measure = READ.replace("NAME", name);
    expect((await renderPicture({ html, width, height, sharesPage, measure })).measured).toBe(read);
  },
);

test.each(["واتساب WhatsApp +971 4 123 4567", "هاتف: +971 4 123 4567، 24 ساعة", "تابعونا Instagram @platen"])(
  "the proof finds nothing out of order in %s",
  async (headline) => {
    const data = { headline, language: "ar" };
    const options = { signal: AbortSignal.timeout(60_000), caller: "test", leavesBrowser: false };
    const { explanation } = await explainPicture({ template: "news/card", data }, options);
    expect(explanation.faults.filter(({ kind }) => kind === "bidi-order")).toEqual([]);
  },
);

test("in event/badge, a Latin name begins where the Arabic texts do", async () => {
  const template = templates.find(({ slug }) => slug === "event/badge");
  if (!template) throw new Error("No template event/badge");
  const { values } = template.variants.staff ?? { values: {} };
  const { html, width, height, sharesPage } = composeDocument(template, { ...values, name: "Lina" });
  const measure = `(() => {
    const walker = document.createTreeWalker(document.querySelector('[data-fit="name"]'), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) range.selectNodeContents(node);
    return range.getBoundingClientRect().left;
  })()`;
  expect((await renderPicture({ html, width, height, sharesPage, measure })).measured).toBeGreaterThan(width / 2);
});

test("in food/menu from right to left, the day begins where the house does", async () => {
  const template = templates.find(({ slug }) => slug === "food/menu");
  if (!template) throw new Error("No template food/menu");
  const { values } = template.variants.rettich ?? { values: {} };
  const { html, width, height, sharesPage } = composeDocument(template, { ...values, language: "he", house: "Café" });
  const measure = `[".house", ".date"].map((name) => document.querySelector(name).getBoundingClientRect().right)`;
  const { measured } = await renderPicture({ html, width, height, sharesPage, measure });
  const [house, date] = measured as number[];
  expect(date).toBeCloseTo(house ?? 0, 0);
});
