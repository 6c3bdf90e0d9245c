import { afterEach, expect, test, vi } from "vitest";
import { stopDecoders } from "#lib/images/decoder/decoders.ts";
import { TAKES_TOO_LONG } from "#lib/images/image-fault.ts";
import { manifestWith, TITLE } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

afterEach(stopDecoders);

// A tenth of the usual limit: each test takes as long. A process takes less to start.
vi.mock("#lib/images/image-limits.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("#lib/images/image-limits.ts")>()),
  ASSET_LIMIT_MS: 1_000,
}));

const svg = (size: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`;

/** Edges that are made wider again and again. The decoder takes some microseconds for each pixel, each time. */
function spread(size: number, times: number): string {
  const filter = '<feMorphology operator="dilate" radius="8"/>'.repeat(times);
  const shape = `<rect width="${size}" height="${size}" fill="red" filter="url(#a)"/>`;
  return svg(size, `<filter id="a" x="0" y="0" width="1" height="1">${filter}</filter>${shape}`);
}

test("a drawing that takes minutes is a fault of its template, and the others are served", async () => {
  const files = {
    "assets/paper.svg": spread(3_000, 20),
    "assets/second.svg": spread(3_000, 20),
    "style.css": 'h1 { background: url("assets/paper.svg"); }\n',
  };
  // The second one is not decoded: sixty of them would take ten minutes.
  expect(await faultsOf(files)).toEqual([`social/faulty/assets/paper.svg:1 ${TAKES_TOO_LONG}`]);
});

test("a small drawing whose colours take minutes to find is a fault of its variant", async () => {
  const photo = { type: "image", label: "Photo", colors: true };
  const files = {
    "template.json": manifestWith({ title: TITLE, photo }),
    "content.json": JSON.stringify(
      Object.fromEntries(["plain", "second"].map((name) => [name, { title: "x", photo: "assets/photo.svg" }])),
    ),
    "template.html": '<h1>{{ title }}</h1>{% if photo %}<img src="{{ photo }}" alt="">{% endif %}',
    "assets/photo.svg": spread(24, 25),
  };
  expect(await faultsOf(files)).toEqual([`social/faulty/content.json:1 plain.photo: ${TAKES_TOO_LONG}`]);
});
