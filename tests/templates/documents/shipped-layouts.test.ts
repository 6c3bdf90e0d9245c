import { afterAll, beforeAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { prepareMachine } from "../../render/rig.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

/** Runs in the page: how far the area reaches over its own place, in pixels. */
const MEASURE = `(() => {
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
  const template = await shippedTemplate("place/listing");
  const base = template.variants.quay?.values ?? {};
  const data = { language, area };
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  const { html, measure } = composeDocument(template, values);
  const { measured } = await renderPicture({ html, width: 1080, height: 1350, measure: `(${measure}, ${MEASURE})` });
  expect(measured).toBeLessThan(1);
});
