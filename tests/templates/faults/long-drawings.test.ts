import { afterEach, expect, test } from "vitest";
import { stopDecoders } from "#lib/images/decoder/decoders.ts";
import { manifestWith, TITLE } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

afterEach(stopDecoders);

const TOO_LONG = "Got an image that takes too long to decode, want a smaller or simpler one.";

const svg = (size: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`;

/** Edges that are made wider again and again. The decoder takes some microseconds for each pixel, each time. */
function spread(size: number, times: number): string {
  const filter = '<feMorphology operator="dilate" radius="8"/>'.repeat(times);
  const shape = `<rect width="${size}" height="${size}" fill="red" filter="url(#a)"/>`;
  return svg(size, `<filter id="a" x="0" y="0" width="1" height="1">${filter}</filter>${shape}`);
}

test("a drawing that takes minutes is a fault of its template, and the others are served", async () => {
  const files = { "assets/paper.svg": spread(3_000, 20), "style.css": 'h1 { background: url("assets/paper.svg"); }\n' };
  expect(await faultsOf(files)).toEqual([`social/faulty/assets/paper.svg:1 ${TOO_LONG}`]);
});

test("a small drawing whose colours take minutes to find is a fault of its variant", async () => {
  const photo = { type: "image", label: "Photo", colors: true };
  const files = {
    "template.json": manifestWith({ title: TITLE, photo }),
    "content.json": JSON.stringify({ plain: { title: "x", photo: "assets/photo.svg" } }),
    "template.html": '<h1>{{ title }}</h1>{% if photo %}<img src="{{ photo }}" alt="">{% endif %}',
    "assets/photo.svg": spread(40, 100),
  };
  expect(await faultsOf(files)).toEqual([`social/faulty/content.json:1 plain.photo: ${TOO_LONG}`]);
});
