import { afterAll, beforeAll, expect, test } from "vitest";
import { drawDuotone } from "#lib/images/duotone.ts";
import { shutDown } from "#lib/render/render.ts";
import { toneImages } from "#lib/templates/images/tone-images.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "#tests/templates/card.ts";
import { bytesOf, picture } from "../files.ts";
import { drawCard, drawn, faultsOf } from "./card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

/** Black, grey and white, and nothing in the last quarter. */
const STEPS =
  '<rect width="100" height="200" fill="#000"/><rect x="100" width="100" height="200" fill="#808080"/><rect x="200" width="100" height="200" fill="#fff"/>';

const near = (channels: number[]) => channels.map((value) => expect.closeTo(value, -0.7));

const stepsOf = (at: (x: number, y: number) => number[]) => [25, 75, 125, 175].map((x) => at(x, 50));

test("an image is drawn from the colour of its shadows to that of its lights, and stays transparent", async () => {
  const declared = { duotone: ["#14213d", "#fca311"] };
  const { at } = await drawCard({ declared, data: { photo: await drawn(400, 200, STEPS) } });
  expect(stepsOf(at)).toEqual(
    [
      [20, 33, 61],
      [136, 98, 38],
      [252, 163, 17],
      [255, 255, 255],
    ].map(near),
  );
});

test("an image without transparency becomes a JPEG of two colours", async () => {
  const photo = await drawn(400, 200, `<rect width="100%" height="100%" fill="#fff"/>${STEPS}`, "jpeg");
  const { at, html } = await drawCard({ declared: { duotone: ["#14213d", "#fca311"] }, data: { photo } });
  expect(html).toContain('src="data:image/jpeg;base64,');
  expect(stepsOf(at)).toEqual(
    [
      [20, 33, 61],
      [136, 98, 38],
      [252, 163, 17],
      [252, 163, 17],
    ].map(near),
  );
});

test("the colours may be fields, also of a variant's own drawing, and without one of them the image stays as it is", async () => {
  const color = (label: string) => ({ type: "color", label });
  const fields = { ink: color("Ink"), paper: color("Paper") };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 400 200">${STEPS}</svg>`;
  const declared = { duotone: ["ink", "paper"], required: true, focus: "center" };
  const card = { declared, fields, own: { photo: "assets/own.svg" }, assets: { "assets/own.svg": svg } };
  const toned = await drawCard({ ...card, data: { ink: "#300", paper: "#fee" } });
  expect(stepsOf(toned.at)).toEqual(
    [
      [51, 0, 0],
      [153, 119, 119],
      [255, 238, 238],
      [255, 255, 255],
    ].map(near),
  );
  const plain = await drawCard({ ...card, data: { ink: "#300" } });
  expect(stepsOf(plain.at)).toEqual(
    [
      [0, 0, 0],
      [128, 128, 128],
      [255, 255, 255],
      [255, 255, 255],
    ].map(near),
  );
});

test.each([
  ["#ffffff", "#ffffff"],
  ["#000000", "#000000"],
  ["#2b1a5a", "#000000"],
  ["#777777", "#777777"],
])("fields with near colours leave the image to be seen: %s and %s", async (ink, paper) => {
  const color = (label: string) => ({ type: "color", label });
  const fields = { ink: color("Ink"), paper: color("Paper") };
  const declared = { duotone: ["ink", "paper"], required: true, focus: "center" };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 400 200">${STEPS}</svg>`;
  const card = { declared, fields, own: { photo: "assets/own.svg" }, assets: { "assets/own.svg": svg } };
  const [shadows = [], , lights = []] = stepsOf((await drawCard({ ...card, data: { ink, paper } })).at) as number[][];
  expect((lights[0] ?? 0) - (shadows[0] ?? 0)).toBeGreaterThan(30);
});

test("an image keeps its crop, and enough pixels for it", async () => {
  const photo = {
    src: await drawn(1_600, 800, `<g transform="scale(4)">${STEPS}</g>`),
    focus: { x: 0, y: 0 },
    zoom: 4,
  };
  const { at, html } = await drawCard({ declared: { duotone: ["#000080", "#ffff00"] }, data: { photo } });
  expect(stepsOf(at)).toEqual(Array.from({ length: 4 }, () => near([0, 0, 128])));
  const { width } = await (await import("sharp")).default(bytesOf(/src="([^"]+)"/.exec(html)?.[1] ?? "")).metadata();
  expect(width).toBe(1_600);
});

test("an image that its zoom wants larger than any picture is drawn with as many pixels as the largest", async () => {
  const photo = await picture(8_000, 3_000).png().toBuffer();
  const url = await drawDuotone(photo, { dark: [0, 0, 0], light: [255, 255, 255], side: 12_000 });
  if (typeof url !== "string") expect.fail(url.fault);
  const { width, height } = await (await import("sharp")).default(bytesOf(url)).metadata();
  expect(width * height).toBeLessThanOrEqual(4_100 * 4_100);
  expect(width / height).toBeCloseTo(8 / 3, 2);
});

test("images of items have the colours of their item", async () => {
  const item = {
    shot: { type: "image", label: "Shot", required: true, duotone: ["#000000", "light"] },
    light: { type: "color", label: "Light" },
  };
  const fields = { rows: { type: "list", label: "Rows", max: 2, item } };
  const html = `{{ photo }}{% for row in rows %}<img data-image="rows.shot" src="{{ row.shot }}" alt="">{% endfor %}`;
  const shot = await drawn(400, 200, '<rect width="100%" height="100%" fill="#fff"/>');
  const rows = [
    { shot, light: "#ff0000" },
    { shot, light: "#0000ff" },
  ];
  const { at } = await drawCard({ fields, html, data: { rows } });
  expect([at(50, 50), at(50, 150)]).toEqual([near([255, 0, 0]), near([0, 0, 255])]);
});

test("an image that nobody wants any more is not drawn", async () => {
  const { values } = await drawCard({ data: { photo: await drawn(40, 20, STEPS) } });
  const field = { type: "image", label: "Photo", duotone: ["#000", "#fff"] };
  const template = { fields: { photo: field }, variants: {}, width: 400, height: 200 } as never;
  await expect(toneImages(template, values, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

test("an image of a variant is drawn once for each pair of colours", async () => {
  const field = { type: "image", label: "Photo", duotone: ["ink", "#fff"] };
  const fields = { photo: field, ink: { type: "color", label: "Ink" } };
  const own = await drawn(40, 20, STEPS);
  const variants = { plain: { content: {}, values: { photo: own, ink: "#300" } } };
  const template = { fields, variants, width: 400, height: 200 } as never;
  // Only what needs no drawing is answered after the request has ended.
  const known = (values: object) => toneImages(template, { ...values }, AbortSignal.abort(new Error("gone")));
  const first = await toneImages(template, variants.plain.values);
  expect(await known({ photo: own, ink: "#300" })).toEqual(first);
  await expect(known({ photo: own, ink: "#003" })).rejects.toThrow("gone");
  const other = await drawn(40, 20, '<rect width="100%" height="100%" fill="#e22"/>');
  await toneImages(template, { photo: other, ink: "#300" });
  await expect(known({ photo: other, ink: "#300" })).rejects.toThrow("gone");
});

test("colours are named that there are", async () => {
  expect(await faultsOf({ declared: { duotone: ["#000", "papr"] } })).toEqual([
    expect.stringContaining('Got "papr", want a hex colour or the name of a color field.'),
  ]);
});

test("the colours around the images of an item are composed once", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `shot${index}`);
  const image = { type: "image", label: "Shot", duotone: ["#000000", "light"] };
  const item = {
    light: { type: "color", label: "Light" },
    ...Object.fromEntries(names.map((name) => [name, image])),
  };
  const template = { ...(await compileCard({})), fields: { rows: { type: "list", label: "Rows", max: 2, item } } };
  const shot = await drawn(4, 4, STEPS);
  let copies = 0;
  const row = new Proxy(
    { light: "#ffffff", ...Object.fromEntries(names.map((name) => [name, shot])) },
    {
      ownKeys(target) {
        copies++;
        return Reflect.ownKeys(target);
      },
    },
  );
  await toneImages(template as unknown as Template, { rows: { items: [row], more: 0 } });
  // The other copy of the item gets the first of the images.
  expect(copies).toBe(2);
});
