import { afterAll, beforeAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { prepareMachine } from "../../render/rig.ts";
import { shippedTemplate } from "./shipped-template.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

/** Runs in the page: the characters of the first quantity, from left to right. */
const MEASURE = `(() => {
  const characters = [];
  const walker = document.createTreeWalker(document.querySelector(".quantity"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < node.data.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, width } = range.getBoundingClientRect();
      if (width > 0 && node.data[at].trim() !== "") characters.push({ left, text: node.data[at] });
    }
  return characters.toSorted((a, b) => a.left - b.left).map(({ text }) => text).join("");
})()`;

const template = await shippedTemplate("commerce/receipt");

test.each([
  ["ar-EG", "kg", "UK£٣٫٢٠×kg١٫٢٤"],
  ["ar-EG", "كغ", "UK£٣٫٢٠×غك١٫٢٤"],
  ["fa", "kg", "£۳٫۲۰×kg۱٫۲۴"],
  ["de", "kg", "1,24kg×3,20£"],
])("in %s, a price is beside its currency, and %s beside the quantity", async (language, unit, wanted) => {
  const each = { amount: 3.2, currency: "GBP" };
  const { values } = await readFields({
    declarations: template.fields,
    values: { language, extras: null, items: [{ name: "x", quantity: 1.24, unit, each }] },
    base: template.variants.market?.values ?? {},
    path: "/data",
  });
  const document = composeDocument(template, values);
  const { measured } = await renderPicture({ html: document.html, width: 1080, height: 1920, measure: MEASURE });
  expect(measured).toBe(wanted);
});
