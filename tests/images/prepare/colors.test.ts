import { wcagContrast } from "culori";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findInImage } from "#lib/images/prepare/find-in-image.ts";
import { readPalette } from "#lib/images/prepare/palette.ts";
import { sampleImage } from "#lib/images/prepare/sample-image.ts";
import { shutDown } from "#lib/render/render.ts";
import { nameColors } from "#lib/type/contrast/image-colors.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { bytesOf } from "../files.ts";
import { drawCard, drawn, faultsOf } from "./card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

/** A field with a red spot. */
const poster = (ground: string) =>
  drawn(400, 200, `<rect width="100%" height="100%" fill="${ground}"/><circle cx="80" cy="80" r="50" fill="#e01b24"/>`);

const SWATCHES = `<main style="--a: {{ photo.colors.dominant }}; --b: {{ photo.colors.ink }}; --c: {{ photo.colors.accent }}">
<i class="a"></i><i class="b"></i><i class="c"></i></main>`;
const CSS = `i { position: absolute; top: 0; width: 100px; height: 100px; }
.a { left: 0; background: var(--a); } .b { left: 100px; background: var(--b); } .c { left: 200px; background: var(--c); }`;

const hex = (channels: number[]) => `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

describe("the colours of an image", () => {
  test.each([
    ["#123a5c", "#ffffff"],
    ["#f4e9d0", "#000000"],
  ])("are variables of the template: on %s", async (ground, ink) => {
    const card = {
      declared: { colors: true, required: true },
      html: SWATCHES,
      css: CSS,
      own: { photo: await poster("#777") },
    };
    const { at } = await drawCard({ ...card, data: { photo: await poster(ground) } });
    const [dominant, read, accent] = [at(50, 50), at(150, 50), at(250, 50)].map(hex);
    expect([dominant, read]).toEqual([ground, ink]);
    expect(wcagContrast(accent ?? "", ground)).toBeGreaterThanOrEqual(4.5);
    const [red = 0, green = 0, blue = 0] = at(250, 50);
    expect(red - Math.max(green, blue)).toBeGreaterThan(60);
  });

  test("are the same wherever the pixels are, and leave out what is transparent", async () => {
    const bars = (names: string[]) =>
      names.map((color, index) => `<rect x="${index * 40}" width="40" height="100" fill="${color}"/>`).join("");
    const palettes = await Promise.all(
      [
        ["#102030", "#d04020"],
        ["#d04020", "#102030"],
      ].map(async (order) => {
        const url = await drawn(200, 100, bars(order));
        return readPalette(await sampleImage(sharp(bytesOf(url)), {}));
      }),
    );
    expect(palettes[0]).toEqual(palettes[1]);
    expect(palettes[0]).toEqual([
      { color: "#102030", share: 0.5 },
      { color: "#d04020", share: 0.5 },
    ]);
  });

  test("are readable on each other, whatever the palette", () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);
    const palette = fc.array(fc.record({ color, share: fc.double({ min: 0.001, max: 1, noNaN: true }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(palette, (colors) => {
        const { dominant, ink, accent } = nameColors(colors);
        expect(wcagContrast(ink, dominant)).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(accent, dominant)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe("a colour field with the colour of an image", () => {
  const ground = { type: "color", label: "Ground", from: "photo.colors.dominant", default: "#00FF00" };
  const html = '<main style="--ground: {{ ground }}">{% if photo %}{% endif %}<i class="a"></i></main>';
  const card = {
    declared: { colors: true },
    fields: { ground },
    html,
    css: ".a { position: absolute; inset: 0; background: var(--ground); }",
  };

  test("has that of the request's image, else its default, and gives way to a colour of the request", async () => {
    const photo = await poster("#123a5c");
    const drawnWith = async (data: object) => hex((await drawCard({ ...card, data: { ...data } })).at(300, 150));
    expect(await drawnWith({ photo })).toBe("#123a5c");
    expect(await drawnWith({})).toBe("#00ff00");
    expect(await drawnWith({ photo, ground: "#abcdef" })).toBe("#abcdef");
    expect(await drawnWith({ photo, ground: "" })).toBe("#123a5c");
  });

  test.each(["photo.colors.light", "title.colors.ink", "photo.dominant"])(
    "names one that there is: %s",
    async (from) => {
      expect(await faultsOf({ ...card, fields: { ground: { ...ground, from } } })).toEqual([
        expect.stringContaining(`Got "${from}", want a colour of an image field that declares "colors": true`),
      ]);
    },
  );

  test("has a default that is a colour", async () => {
    expect(await faultsOf({ ...card, fields: { ground: { ...ground, default: "red" } } })).toEqual([
      expect.stringContaining("Want a hex colour such as #1d4ed8."),
    ]);
  });

  test("names an image that has colours", async () => {
    expect(await faultsOf({ ...card, declared: {} })).toEqual([expect.stringContaining('declares "colors": true')]);
  });
});

describe("the plate behind a logo", () => {
  const html = '<i class="plate {{ photo.ground }}"></i><img data-image="photo" src="{{ photo }}" alt="">';
  const css = `body { background: #111; } .plate { position: absolute; left: 300px; width: 50px; height: 50px; background: #f0f; }
.light { background: #fff; } .dark { background: #000; }`;
  const fields = { paper: { type: "color", label: "Paper", default: "#111111" } };
  const card = {
    declared: { fit: "contain", over: "paper", required: true },
    fields,
    css,
    html: `{% if paper %}${html}{% endif %}`,
  };
  const mark = (fill: string, ground = "") =>
    drawn(200, 200, `${ground}<circle cx="100" cy="100" r="80" fill="${fill}"/>`);
  const plateOf = async (photo: string, paper?: string) => {
    const own = { photo: await mark("#888") };
    return hex((await drawCard({ ...card, own, data: { photo, ...(paper && { paper }) } })).at(320, 20));
  };

  test("is light behind black on black, dark behind white on white, and none where the logo stands out", async () => {
    expect(await plateOf(await mark("#000"))).toBe("#ffffff");
    expect(await plateOf(await mark("#fff"), "#fafafa")).toBe("#000000");
    expect(await plateOf(await mark("#fff"))).toBe("#ff00ff");
    expect(await plateOf(await mark("#d01020"), "#ffffff")).toBe("#ff00ff");
  });

  test("is none behind an image that has a ground of its own", async () => {
    const square = '<rect width="100%" height="100%" fill="#1a1a1a"/>';
    expect(await plateOf(await mark("#000", square))).toBe("#ff00ff");
  });

  test("needs a ground that there is", async () => {
    expect(await faultsOf({ ...card, declared: { over: "title" } })).toEqual([
      expect.stringContaining('Got "title", want a hex colour or the name of a color field.'),
    ]);
  });
});

test("a subject that is thinner than a pixel of the small copy has its colours", async () => {
  const line =
    '<rect width="100%" height="100%" fill="#fff"/><rect x="256" y="1022" width="512" height="2" fill="#f00"/>';
  const image = sharp(bytesOf(await drawn(1_024, 1_024, line)));
  const { subject, palette } = await findInImage(image, { edges: "color", palette: true });
  expect(subject).toEqual({ left: 0.25, top: 1_022 / 1_024, right: 0.75, bottom: 1 });
  expect(palette).toEqual([{ color: expect.stringMatching(/^#ff/), share: 1 }]);
});
