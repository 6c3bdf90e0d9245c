import { afterAll, beforeAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { prepareMachine } from "../../render/rig.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

type Layout = { slug: string; variant: string; data: Record<string, unknown>; script: string };

async function composeShipped({ slug, variant, data }: Omit<Layout, "script">) {
  const template = await shippedTemplate(slug);
  const base = template.variants[variant]?.values ?? {};
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  return { ...composeDocument(template, values), width: template.width, height: template.height };
}

/** What a script measures in the page of a shipped template. */
async function measureLayout({ script, ...layout }: Layout): Promise<unknown> {
  const { html, measure, width, height } = await composeShipped(layout);
  return (await renderPicture({ html, width, height, measure: `(${measure}, ${script})` })).measured;
}

/** How far the area reaches over its own place, in pixels. */
const AREA_OVERFLOW = `(() => {
  const [area] = document.querySelectorAll(".size");
  const range = document.createRange();
  range.selectNodeContents(area);
  const [own, place] = [range.getBoundingClientRect(), area.parentElement.getBoundingClientRect()];
  return Math.max(place.left - own.left, own.right - place.right);
})()`;

test.each([
  ["fa", 1_234.5],
  ["en", 123_456.5],
  ["de", 68],
])("in %s, an area of %d does not reach over the facts beside it", async (language, area) => {
  const data = { language, area };
  expect(await measureLayout({ slug: "place/listing", variant: "quay", data, script: AREA_OVERFLOW })).toBeLessThan(1);
});

/** How far the right edges of the agent and of the contact are apart, in pixels. */
const EDGE_DISTANCE = `(() => {
  const [agent, contact] = ["agent", "contact"].map((name) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("." + name));
    return range.getBoundingClientRect().right;
  });
  return Math.abs(agent - contact);
})()`;

test("in Arabic, a telephone number begins below the name of the agent", async () => {
  const data = { title: "شقة فاخرة للبيع", agent: "مكتب الوسيط العقاري", contact: "+971 50 123 4567" };
  expect(await measureLayout({ slug: "place/listing", variant: "altbau", data, script: EDGE_DISTANCE })).toBeLessThan(
    1,
  );
});

/** The labels of a stub, each with its number of lines. */
const LABEL_LINES = `Array.from(document.querySelectorAll(".seating dt"), (label) => {
  const range = document.createRange();
  range.selectNodeContents(label);
  return new Set(Array.from(range.getClientRects(), (line) => Math.round(line.top))).size;
})`;

test.each(["ta", "ka", "si", "kk", "mn"])("in %s, no label of a coded ticket is divided", async (language) => {
  const data = { language, gate: "3", row: "7", seat: "28" };
  expect(await measureLayout({ slug: "event/ticket", variant: "oud", data, script: LABEL_LINES })).toEqual([1, 1, 1]);
});

test.each([
  ["a year", "data/wrapped", "ferry", { year: 1405, language: "fa" }, "۱۴۰۵"],
  ["the number of an episode", "social/podcast", "nightbus", { number: 128, language: "bn" }, "১২৮"],
])("%s has the digits of its language", async (_, slug, variant, data, written) => {
  expect((await composeShipped({ slug, variant, data })).html).toContain(written);
});

test.each([
  ["zh-MO", "單人入場券"],
  ["zh-SG", "单人入场券"],
  ["sr-ME", "Ulaz za jednu osobu"],
  ["pa-PK", "Admit one"],
  ["az-Cyrl-AZ", "Admit one"],
  ["kk-Arab", "Admit one"],
  ["uk-Latn", "Admit one"],
  ["ms", "Kerusi"],
])("a ticket in %s has no words of another region", async (language, words) => {
  expect((await composeShipped({ slug: "event/ticket", variant: "concert", data: { language } })).html).toContain(
    words,
  );
});

test("what is for sale has no price a month, also where the variant is to let", async () => {
  const compose = async (offer: string) =>
    (
      await composeShipped({
        slug: "place/listing",
        variant: "altbau",
        data: { offer, period: "month", language: "tr" },
      })
    ).html;
  expect(await compose("let")).toContain(">aylık<");
  expect(await compose("sale")).not.toContain(">aylık<");
});

test("a salary has no period when a request empties it", async () => {
  const compose = async (data: Record<string, unknown>) =>
    (await composeShipped({ slug: "social/job", variant: "werft", data })).html;
  expect(await compose({})).toContain(">im Monat<");
  expect(await compose({ period: null })).not.toMatch(/>im (?:Monat|Jahr)</);
});

/** How far the lowest text is from the lower edge of the picture, in pixels. */
const FOOT = `Math.min(...Array.from(document.querySelectorAll("main :not(:has(*))"), (element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return innerHeight - range.getBoundingClientRect().bottom;
}))`;

test.each([
  ["shan", { months: null }],
  ["shan", { months: null, best: null, bestTitle: null }],
  ["lectura", { best: null, bestTitle: null }],
  ["ferry", { best: null, bestTitle: null }],
  ["ferry", { months: null, best: null, bestTitle: null }],
])("the year %s with %j keeps its texts off the controls of a story", async (variant, data) => {
  expect(await measureLayout({ slug: "data/wrapped", variant, data, script: FOOT })).toBeGreaterThan(250);
});
