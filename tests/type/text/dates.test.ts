import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { writeDate, writeDateRange } from "#lib/type/text/dates.ts";
import { writeMore } from "#lib/type/text/local-more.ts";

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

test.each([
  ["az-Arab", "2 May 2026"],
  ["kk-Latn", "2 May 2026"],
  ["mn-CN", "2 May 2026"],
  ["uz-CN", "2 May 2026"],
  ["sr-ME", "2. maj 2026."],
  ["ja-Hira", "2026年5月2日"],
  ["zh-MO", "2026年5月2日"],
])("a date in %s has no words in other letters: %s", (language, wanted) => {
  expect(writeDate(DAY, "long", language)).toBe(wanted);
});

test.each([
  ["hi", "3 और"],
  ["hi-Latn", "+3"],
  ["zh-MO", "另有3項"],
  ["pt-BR", "+3 mais"],
])("what a list leaves out in %s has no words in other letters: %s", (language, wanted) => {
  expect(writeMore(3, language)).toBe(wanted);
});

test("an unknown form is refused with the known ones", () => {
  expect(() => writeDate(DAY, "short", "en")).toThrow('Got the date form "short", want one of long, full');
});

test.each([
  // The Persian year begins in March, and both days are the same one of it.
  ["day", "fa", "2025-12-31", "2026-12-31", "۱۰\u00a0دی ۱۴۰۴ تا ۱۰\u00a0دی ۱۴۰۵"],
  ["day", "fa", "2026-05-01", "2026-05-03", "۱۱\u00a0اردیبهشت تا ۱۳\u00a0اردیبهشت"],
  ["day", "en", "2025-12-31", "2026-12-31", "31\u00a0December 2025\u2009–\u200931\u00a0December 2026"],
  ["weekday", "fa", "2025-12-31", "2026-01-01", "چهارشنبه تا پنجشنبه"],
  // A line ends behind the spaces of the dash, and not between day and month.
  ["long", "nb", "2026-01-01", "2027-01-01", "1.\u00a0januar 2026\u2009–\u20091.\u00a0januar 2027"],
  ["long", "sv", "2026-01-01", "2026-02-01", "1\u00a0januari\u2009–\u20091\u00a0februari 2026"],
  ["long", "nb", "2026-01-01", "2026-01-03", "1.–3.\u00a0januar 2026"],
  ["long", "de", "2026-01-01", "2027-01-01", "1.\u00a0Januar 2026\u2009–\u20091.\u00a0Januar 2027"],
])("the form %s in %s of a range from %s to %s", (form, language, from, to, wanted) => {
  expect(writeDateRange({ from, to }, form, language)).toBe(wanted);
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
