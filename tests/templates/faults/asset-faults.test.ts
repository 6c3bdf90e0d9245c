import { gzipSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import type { FieldValues } from "#lib/templates/template.ts";
import { animatedPng, animation } from "#tests/images/files.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const red = () => sharp({ create: { width: 40, height: 40, channels: 3, background: "#ff0000" } });

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (attributes: string) =>
  `<svg ${attributes} width="40" height="40"><rect width="40" height="40" fill="red"/></svg>`;

const cardWith = (name: string, image: Buffer | string) => ({
  [`assets/${name}`]: image,
  "style.css": `h1 { width: 400px; height: 200px; margin: 0; background: url("assets/${name}"); }\n`,
});

const backgroundOf = (address: string) => ({
  "style.css": `h1 { width: 400px; height: 200px; margin: 0; background: url("${address}"); }\n`,
});

/** A drawing as an address in double quotes. */
const inline = (text: string) => `data:image/svg+xml,${text.replaceAll('"', "'")}`;

test.each<[string, string, () => Buffer | string | Promise<Buffer>, string]>([
  [
    "of a format that browsers do not draw",
    "paper.png",
    () => red().tiff().toBuffer(),
    "Got an image of a format that browsers do not draw, want PNG, JPEG, WebP, GIF or AVIF, or an SVG.",
  ],
  [
    "of a coding that browsers do not draw",
    "paper.jpg",
    async () => {
      const jpeg = await red().jpeg().toBuffer();
      // The decoder reads any bytes as arithmetic codes.
      jpeg[jpeg.indexOf(Buffer.from("ffc0", "hex")) + 1] = 0xc9;
      return jpeg;
    },
    "Got a JPEG in arithmetic or lossless coding, want one in Huffman coding.",
  ],
  [
    "named as an SVG",
    "paper.svg",
    () => red().png().toBuffer(),
    "Got PNG in a file that is named as SVG. Name it by its format.",
  ],
  [
    "that is an SVG of another name",
    "paper.png",
    () => svg(NAMESPACE),
    "Got SVG in a file that is named otherwise. Name it .svg.",
  ],
  [
    "that is a compressed SVG",
    "paper.svg",
    () => gzipSync(svg(NAMESPACE)),
    "Got a compressed SVG (SVGZ), want it uncompressed.",
  ],
  [
    "that is an SVG in another encoding",
    "paper.svg",
    () => Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?><!-- \u00e9 -->${svg(NAMESPACE)}`, "latin1"),
    "Got SVG in another encoding, want UTF-8.",
  ],
  [
    "that is an SVG without a namespace",
    "paper.svg",
    () => svg('data-of="a xmlns=1 > 0"'),
    `The <svg> has no namespace, so that a browser draws nothing. Add ${NAMESPACE}.`,
  ],
])("an image %s would be missing from each picture, and is a fault", async (_, name, make, fault) => {
  expect(await faultsOf(cardWith(name, await make()))).toEqual([`social/faulty/assets/${name}:1 ${fault}`]);
});

test.each<[string, string, () => Buffer | string | Promise<Buffer>]>([
  ["an SVG", "paper.svg", () => svg(NAMESPACE)],
  [
    "an SVG whose namespace is an entity",
    "paper.svg",
    () => `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>${svg('data-of="1 > 0" xmlns="&ns;"')}`,
  ],
  ["a WebP that is named as a PNG", "paper.png", () => red().webp().toBuffer()],
  ["an AVIF that is named as a PNG", "paper.png", () => red().avif().toBuffer()],
])("%s is drawn", async (_, name, make) => {
  const template = await compileCard(cardWith(name, await make()));
  const { png } = await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} });
  const { channels } = await sharp(png).stats();
  expect(channels[0]?.mean).toBeGreaterThan(240);
  expect(channels[1]?.mean).toBeLessThan(30);
});

test.each<[string, string, (image: Sharp) => Promise<Buffer>]>([
  [
    "a WebP that lies on its side",
    "webp",
    (image) => image.webp({ lossless: true }).withMetadata({ orientation: 6 }).toBuffer(),
  ],
  ["a JPEG in CMYK", "jpeg", (image) => image.withIccProfile("cmyk").jpeg().toBuffer()],
])("%s looks as the same image of a request does", async (_, type, write) => {
  const blue = await sharp({ create: { width: 20, height: 40, channels: 3, background: "#2244cc" } })
    .png()
    .toBuffer();
  const bytes = await write(red().composite([{ input: blue, left: 0, top: 0 }]));
  const template = await compileCard({
    [`assets/photo.${type}`]: bytes,
    "template.json": manifestWith({ photo: { type: "image", label: "Photo", required: true } }),
    "content.json": JSON.stringify({ plain: { photo: `assets/photo.${type}` } }),
    "template.html": '<img data-image="photo" src="{{ photo }}" alt="">',
  });
  const draw = (data: FieldValues) => drawTemplate({ template, variant: "plain", data }, { timings: {} });
  const [own, sent] = [await draw({}), await draw({ photo: `data:image/${type};base64,${bytes.toString("base64")}` })];
  expect(own.png.equals(sent.png)).toBe(true);
});

const MOVE = "from{fill:red}to{fill:lime}}rect{animation:a 1ms forwards";
const moving = (rules: string) => svg(NAMESPACE).replace("<rect", `<style>${rules}</style><rect`);

test.each<[string, Record<string, string | Buffer>]>([
  ["of a file", cardWith("paper.svg", `${moving(`@keyframes a{${MOVE}}`)}<!-- </svg> -->`)],
  ["of a file that insists", cardWith("paper.svg", moving(`@-webkit-keyframes a{${MOVE}!important}`))],
  ["of a style sheet", backgroundOf(`data:image/svg+xml,${encodeURIComponent(moving(`@keyframes a{${MOVE}}`))}#view`)],
])(
  "a drawing %s stands still at the first moment of its animation of CSS, in each picture of a page",
  async (_, files) => {
    const template = await compileCard(files);
    for (const title of ["First", "Again"]) {
      const { png } = await drawTemplate({ template, variant: "plain", data: { title } }, { timings: {} });
      expect((await sharp(png).stats()).channels[0]?.mean, title).toBeGreaterThan(240);
    }
  },
);

test("an animation is left with its first frame: as a background, it would go on in later pictures of a page", async () => {
  const animations: [string, Buffer][] = [
    ["paper.gif", await animation("gif", ["#f00", "#0f0"])],
    ["paper.png", await animatedPng("#f00", "#0f0")],
  ];
  for (const [name, bytes] of animations) {
    const { css } = await compileCard(cardWith(name, bytes));
    const shown = Buffer.from(/base64,([^"]+)/.exec(css)?.[1] ?? "", "base64");
    const { pages = 1, width } = await sharp(shown).metadata();
    expect([pages, width, shown.includes("fdAT")]).toEqual([1, 80, false]);
  }
});

test.each([
  [
    "without a namespace",
    inline(svg("")),
    'The <svg> has no namespace, so that a browser draws nothing. Add xmlns="http://www.w3.org/2000/svg".',
  ],
  [
    "without a namespace in base64",
    `data:image/svg+xml;base64,${Buffer.from(svg("")).toString("base64")}`,
    'The <svg> has no namespace, so that a browser draws nothing. Add xmlns="http://www.w3.org/2000/svg".',
  ],
  [
    "with a colour that ends the address",
    inline(svg(NAMESPACE).replace("red", "#f00")),
    "Got an inline SVG with a #, which ends it. Write %23 instead, or use a file of assets.",
  ],
])("an SVG in a style sheet %s is a fault", async (_, address, fault) => {
  expect(await faultsOf(backgroundOf(address))).toEqual([`social/faulty/style.css:1 ${fault}`]);
});

test.each([
  ["as it is", inline(svg(NAMESPACE))],
  ["encoded", `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(NAMESPACE))}`],
  ["in base64", `data:image/svg+xml;base64,${Buffer.from(svg(NAMESPACE)).toString("base64")}`],
  [
    "with a percent sign",
    inline(svg(NAMESPACE).replace('width="40" height="40" fill="red"', 'width="100%" height="100%" fill="%23f00"')),
  ],
  ["with a fragment after it", `${inline(svg(NAMESPACE))}#view`],
])("an SVG in a style sheet is drawn: %s", async (_, address) => {
  const template = await compileCard(backgroundOf(address));
  const { png } = await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} });
  const { channels } = await sharp(png).stats();
  expect(channels[0]?.mean).toBeGreaterThan(240);
  expect(channels[1]?.mean).toBeLessThan(30);
});
