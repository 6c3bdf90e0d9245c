import { afterAll, beforeAll, expect, test } from "vitest";
import { explainPicture } from "#lib/proof/explain.ts";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

async function hardToRead(slug: string, variant: string, data: Record<string, unknown>) {
  const { warnings } = await drawTemplate({ template: await shippedTemplate(slug), variant, data }, { timings: {} });
  return warnings.filter(({ code }) => code === "low_contrast").map(({ path }) => path);
}

test.each([
  ["Arabic", "اشتريت هذه السماعات من متجر ==Sony Center Dubai Mall في الطابق الأول== وكانت *رائعة* جدا"],
  ["Urdu", "==یہ بہت اچھی چیز ہے اور اس کی قیمت== مناسب ہے"],
  ["Thai", "==ผู้ใหญ่ญี่ปุ่นชอบฤๅษีฐานกู้ภัยและปู่ย่าตายายที่อยู่ใกล้ๆ กัน== มาก"],
  ["Khmer", "==ស្ត្រីខ្មែរធ្វើការល្អណាស់ក្នុងក្រុមហ៊ុន== ណាស់"],
  ["Devanagari", "==द्भ्रू कुटुम्ब शुद्ध हृदय ट्रॅफिक ङ्क्ष== अच्छा"],
  ["Tamil", "==ஸ்ரீ குழந்தைகளுக்கு மிகவும்== நல்லது"],
  ["English", "It has ==outlived two dishwashers== and a house move."],
])("marked words of a review are readable as a whole: %s", async (_, review) => {
  expect(await hardToRead("review/card", "soba", { review })).toEqual([]);
});

test("sets that are lost are readable wherever the lines of the court are", async () => {
  const name = "Wolverhampton Wanderers Football Club 18";
  expect(await hardToRead("sport/result", "final", { home: name, away: name })).toEqual([]);
  expect(await hardToRead("sport/result", "final", { language: "ar" })).toEqual([]);
});

test("the dots of Arabic names in a ranking stay above the bar", async () => {
  const rows = [
    { name: "النيل", value: 6650 },
    { name: "بيت", value: 640 },
  ];
  const asked = { template: "data/ranking", variant: "lakes", data: { rows } };
  const options = { signal: AbortSignal.timeout(60_000), caller: "test", leavesBrowser: false };
  const { explanation } = await explainPicture(asked, options);
  const names = explanation.texts.filter(({ field }) => field.endsWith(".name"));
  expect(names.map(({ text }) => text)).toEqual(["النيل", "بيت"]);
  for (const { box, ink } of names) expect(ink?.bottom).toBeLessThanOrEqual(Math.ceil(box.bottom));
});
