import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { writeDate } from "#lib/type/text/dates.ts";

const DAY = "2026-05-02T19:30:00Z";

test.each([
  ["long", "", "2 May 2026"],
  ["long", "en", "2 May 2026"],
  ["long", "en-US", "May 2, 2026"],
  ["long", "th", "2 พฤษภาคม 2569"],
  ["long", "ru", "2 мая 2026 г."],
  ["long", "fa", "۱۲ اردیبهشت ۱۴۰۵"],
  ["long", "dv", "2 May 2026"],
  ["weekday", "hi", "शनिवार"],
  ["short-weekday", "en", "Sat"],
  ["short-weekday", "de", "Sa"],
  ["short-weekday", "ja", "土"],
  ["time", "mr", "१९:३०"],
  ["time", "en-US", "19:30"],
  ["numbers", "de", "2.5.2026"],
])("the form %s in %j is %s", (form, language, wanted) => {
  expect(writeDate(DAY, form, language)).toBe(wanted);
});

test("an unknown form is refused with the known ones", () => {
  expect(() => writeDate(DAY, "short", "en")).toThrow('Got the date form "short", want one of long, full');
});

const { templates } = await getRegistry();

test.each([
  ["blog/article", { title: "คืนหนึ่งที่ไม่มีการแจ้งเตือน" }, "9 มีนาคม 2569"],
  ["blog/article", { title: "Ночь без уведомлений" }, "9 марта 2026 г."],
  ["blog/article", { title: "Une nuit sans étoiles" }, "9 mars 2026"],
  ["document/certificate", { award: "संगीत विशारद" }, "21 जून 2026"],
  [
    "document/certificate",
    { award: "ಸಂಗೀತ ಪದವಿ", recipient: "ಶುಭದಾ", statement: null, certificateNumber: "೧೧೮" },
    "ಜೂನ್ ೨೧, ೨೦೨೬",
  ],
  ["event/ticket", { title: "Ночь музыки", language: null }, "суббота"],
  ["event/ticket", { title: "Ночь музыки", language: null }, "Ряд"],
  ["event/ticket", { title: "Das Lied", language: "de" }, "14. November 2026"],
  ["event/ticket", { title: "Lied", language: "ar" }, 'dir="rtl"'],
])("%s with %j has %s", (slug, edits, wanted) => {
  const template = templates.find((known) => known.slug === slug);
  const { values = {} } = template?.variants[template.defaultVariant] ?? {};
  if (!template) throw new Error(`${slug} is missing.`);
  expect(composeDocument(template, { ...values, ...edits }).html).toContain(wanted);
});
