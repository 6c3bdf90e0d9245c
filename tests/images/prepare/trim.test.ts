import { afterAll, beforeAll, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { bytesOf } from "../files.ts";
import { drawCard, drawn, faultsOf } from "./card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const RED = '<rect x="300" y="200" width="200" height="100" fill="#e02020"/>';

/** Whether the middle of each edge of the element is red: left, top, right, bottom. */
function edgesOf(at: (x: number, y: number) => number[]): boolean[] {
  const isRed = ([red = 0, green = 0]: number[]) => red > 200 && green < 80;
  return [at(10, 50), at(100, 10), at(189, 50), at(100, 89)].map(isRed);
}

const FILLED = [true, true, true, true];
const contain = { fit: "contain" };

test("a cut-out fills its element without its transparent edges", async () => {
  const photo = await drawn(800, 800, RED);
  const trimmed = await drawCard({ declared: { ...contain, trim: "transparent" }, data: { photo } });
  expect(edgesOf(trimmed.at)).toEqual(FILLED);
  const whole = await drawCard({ declared: contain, data: { photo } });
  expect(edgesOf(whole.at)).not.toContain(true);
});

test("edges of one colour are left out where the template says so, also those of a JPEG", async () => {
  const onWhite = `<rect width="100%" height="100%" fill="#fefefe"/>${RED}`;
  for (const format of ["png", "jpeg"] as const) {
    const data = { photo: await drawn(800, 800, onWhite, format) };
    expect(edgesOf((await drawCard({ declared: { ...contain, trim: "color" }, data })).at)).toEqual(FILLED);
    expect(edgesOf((await drawCard({ declared: { ...contain, trim: "transparent" }, data })).at)).not.toContain(true);
  }
});

test("a haze that nobody sees is left out", async () => {
  const haze = '<rect width="100%" height="100%" fill="#000" fill-opacity=".02"/>';
  const data = { photo: await drawn(800, 800, haze + RED) };
  expect(edgesOf((await drawCard({ declared: { ...contain, trim: "transparent" }, data })).at)).toEqual(FILLED);
});

test("edges of several colours stay", async () => {
  const photo = await drawn(800, 800, `<rect width="400" height="800" fill="#123"/>${RED}`);
  const { values } = await drawCard({ declared: { ...contain, trim: "color" }, data: { photo } });
  expect(values.photo).toBe(photo);
});

test.each([
  ["nothing", ""],
  ["one colour", '<rect width="100%" height="100%" fill="#e02020"/>'],
])("a picture of %s stays as it is", async (_, inside) => {
  const photo = await drawn(400, 200, inside);
  const { values } = await drawCard({ declared: { ...contain, trim: "color" }, data: { photo } });
  expect(values.photo).toBe(photo);
});

test("a focus and a zoom are those of the subject", async () => {
  const halves = `${RED}<rect x="400" y="200" width="100" height="100" fill="#2020e0"/>`;
  const photo = { src: await drawn(800, 800, halves), focus: { x: 0.4, y: 0.3 }, zoom: 2 };
  const { at } = await drawCard({ declared: { ...contain, trim: "transparent" }, data: { photo } });
  expect(edgesOf(at)).toEqual([true, true, false, true]);
  const blue = at(190, 50);
  expect(blue[2]).toBeGreaterThan(200);
});

test("a style sheet says where in its element a trimmed image is", async () => {
  const photo = await drawn(800, 800, '<rect x="300" y="200" width="100" height="200" fill="#e02020"/>');
  const { at } = await drawCard({
    declared: { ...contain, trim: "transparent" },
    html: '{% if photo %}<img class="photo" data-image="photo" src="{{ photo }}" alt="">{% endif %}',
    css: ".photo { object-position: left; }",
    data: { photo },
  });
  expect([at(10, 50)[1], at(100, 50)[1]]).toEqual([32, 255]);
});

test("the natural size of a trimmed image is that of its subject", async () => {
  const photo = await drawn(800, 800, RED);
  const declared = { ...contain, trim: "transparent" };
  const { at } = await drawCard({ declared, data: { photo }, css: "img { width: 200px; height: auto; }" });
  expect(at(100, 95)[0]).toBeGreaterThan(200);
  expect(at(100, 110)).toEqual([255, 255, 255]);
});

test("assets of a variant are trimmed too, drawings included", async () => {
  const png = bytesOf(await drawn(800, 800, RED)) as never;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800">${RED}</svg>`;
  const assets = { "assets/own.png": png, "assets/own.svg": svg };
  for (const photo of Object.keys(assets)) {
    const { at } = await drawCard({ declared: { ...contain, trim: "transparent" }, own: { photo }, assets });
    expect(edgesOf(at)).toEqual(FILLED);
  }
});

test("a trimmed image needs the element that it is trimmed in", async () => {
  expect(await faultsOf({ declared: { trim: "transparent" }, html: '<img src="{{ photo }}" alt="">' })).toEqual([
    'template.html: The field "photo" declares "trim", but no element has data-image="photo".',
  ]);
});
