import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { bytesOf, dataUrl } from "../files.ts";
import { drawCard, drawn, faultsOf, mapOf } from "./card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const image = (rest: object = {}) => fieldDeclaration.parse({ type: "image", label: "Photo", ...rest });

async function issuesOf(photo: unknown) {
  const { issues } = await readFields({ declarations: { photo: image() }, values: { photo }, path: "/data" });
  return issues.map(({ path, code, message }) => `${path} ${code}: ${message}`);
}

describe("an image with a focus and a zoom", () => {
  test("shows the part that the request asks for, whatever the template declares", async () => {
    const src = await mapOf(800, 100);
    const css = ".photo { object-position: 0 0; }";
    const html = '<img class="photo" data-image="photo" src="{{ photo }}" alt="">';
    const declared = { focus: { x: 0, y: 0 }, required: true };
    const own = { photo: "assets/own.png" };
    const assets = { "assets/own.png": bytesOf(src) as never };
    const card = { declared, own, assets, html, css };
    expect((await drawCard(card)).seen().x).toEqual([0, 25]);
    const right = await drawCard({ ...card, data: { photo: { src, focus: { x: 1, y: 0.5 } } } });
    expect(right.seen().x).toEqual([75, 100]);
    const middle = await drawCard({ ...card, data: { photo: { src, focus: "center" } } });
    expect(middle.seen().x).toEqual([38, 62]);
  });

  test("is blown up around its focus", async () => {
    const src = await mapOf(400, 200);
    const zoomed = await drawCard({ data: { photo: { src, focus: { x: 0.5, y: 0 }, zoom: 2 } } });
    expect(zoomed.seen()).toEqual({ x: [25, 75], y: [0, 50] });
    const corner = await drawCard({ data: { photo: { src, focus: { x: 1, y: 1 }, zoom: 4 } } });
    expect(corner.seen()).toEqual({ x: [75, 100], y: [75, 100] });
  });

  test("is cropped to its element after it was blown up", async () => {
    const src = await mapOf(400, 400);
    const { seen } = await drawCard({ data: { photo: { src, focus: { x: 0, y: 1 }, zoom: 2 } } });
    expect(seen()).toEqual({ x: [0, 50], y: [75, 100] });
  });

  test("works in items of a list and in variants, with a file of the assets folder", async () => {
    const src = await mapOf(400, 200);
    const fields = {
      rows: { type: "list", label: "Rows", max: 2, item: { shot: { type: "image", label: "Shot", required: true } } },
    };
    const html = '{% for row in rows %}<img data-image="rows.shot" src="{{ row.shot }}" alt="">{% endfor %}{{ photo }}';
    const corner = (x: number, y: number) => ({ src: "assets/own.png", focus: { x, y }, zoom: 2 });
    const own = { rows: [{ shot: corner(0, 0) }, { shot: corner(1, 1) }] };
    const assets = { "assets/own.png": bytesOf(src) as never };
    const { at } = await drawCard({ fields, html, own, assets });
    expect([at(0, 0), at(0, 100)]).toEqual([
      [0, 0, 128],
      [128, 128, 128].map((value) => expect.toSatisfy((got: number) => Math.abs(got - value) < 3)),
    ]);
  });
});

describe("faults of a crop", () => {
  test("are all named at once, with those of the image", async () => {
    expect(await issuesOf({ src: "nowhere", focus: { x: -1, z: 2 }, zoom: "3", focu: 1 })).toEqual([
      expect.stringMatching(/^\/data\/photo\/src image_rejected: /),
      '/data/photo/focu invalid_image: Got the key "focu", want "focus".',
      "/data/photo/focus/x out_of_range: Got -1, want a number from 0 to 1.",
      "/data/photo/focus/y invalid_type: Got nothing, want a number from 0 to 1.",
      '/data/photo/focus/z invalid_image: Got the key "z", want "x".',
      '/data/photo/zoom invalid_type: Got "3", want a number from 1 to 10.',
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ["a number", 3, /^\/data\/photo invalid_type: Got 3, want an image as a "data:" URL or an address, or an object/],
    ["an array", [], /^\/data\/photo invalid_type: Got an array, /],
    ["no source", { zoom: 2 }, /^\/data\/photo\/src invalid_type: Got no image, /],
    ["an empty source", { src: " " }, /^\/data\/photo\/src invalid_type: Got " ", /],
    ["a focus of words", { src: "", focus: "top" }, /focus invalid_type: Got "top", want \{ "x": 0.5, "y": 0.5 \}/m],
    ["a zoom of 11", { src: "", zoom: 11 }, /zoom out_of_range: Got 11, want a number from 1 to 10/m],
  ])("%s is refused", async (_, value, message) => {
    expect((await issuesOf(value)).join("\n")).toMatch(message);
  });

  test("are found in variants with their lines", async () => {
    const assets = { "assets/own.png": bytesOf(await mapOf(4, 4)) as never };
    expect(await faultsOf({ own: { photo: { src: "assets/own.png", zoom: 0 } }, assets })).toEqual([
      "content.json: plain.photo.zoom: Got 0, want a number from 1 to 10.",
    ]);
  });

  test("are none in a text alone, in a zoom of one and in null", async () => {
    const src = await mapOf(4, 4);
    expect([...(await issuesOf(src)), ...(await issuesOf({ src, zoom: 1, focus: null }))]).toEqual([]);
    const schema = fieldType(image()).jsonSchema(image());
    expect(schema).toMatchObject({ anyOf: [{ type: "string" }, { type: "object", required: ["src"] }] });
  });
});

/** Grey with a red disc near one end. */
const withDisc = (x: number, format?: "jpeg") =>
  drawn(
    1_200,
    200,
    `<rect width="100%" height="100%" fill="#888"/><circle cx="${x}" cy="100" r="40" fill="#e33"/>`,
    format,
  );

describe("the point that a viewer looks at", () => {
  const isRed = ([red = 0, green = 0]: number[]) => red > 180 && green < 90;

  /** The columns of the element that show the disc, halfway down. */
  const redColumns = (at: (x: number, y: number) => number[]) =>
    Array.from({ length: 200 }, (_, x) => x).filter((x) => isRed(at(x, 50)));

  test.each([50, 150, 600, 1_050])("is kept by the crop where nobody says a focus: at %s", async (x) => {
    const { at } = await drawCard({ data: { photo: await withDisc(x) } });
    // A disc of 80 pixels at half its size.
    expect(redColumns(at)).toHaveLength(40);
  });

  test.each([
    ["the middle is declared", { focus: "center" }, {}],
    ["a point is declared", { focus: { x: 0, y: 0 } }, {}],
    ["a request names the middle", {}, { focus: "center" }],
  ])("is not looked for where %s", async (_, declared, crop) => {
    const { at, values } = await drawCard({ declared, data: { photo: { src: await withDisc(1_100), ...crop } } });
    expect(redColumns(at)).toEqual([]);
    expect(values.photo).not.toHaveProperty("focalPoint");
  });

  test.each([
    ["a plain image", '<rect width="100%" height="100%" fill="#a30"/>'],
    ["an image of nothing", ""],
  ])("is the middle of %s", async (_, inside) => {
    const { values } = await drawCard({ data: { photo: await drawn(400, 100, inside) } });
    expect(values.photo).toEqual(expect.any(String));
  });

  test("is blown up by a zoom without a focus", async () => {
    const { at } = await drawCard({ data: { photo: { src: await withDisc(1_050), zoom: 2 } } });
    expect(redColumns(at)).toHaveLength(80);
  });

  test("is the same for the same bytes, in whatever order images are read", async () => {
    const photo = await withDisc(300, "jpeg");
    const declarations = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`p${index}`, image()]));
    const values = Object.fromEntries(Object.keys(declarations).map((name) => [name, photo]));
    const reads = await Promise.all([1, 2].map(() => readFields({ declarations, values, path: "" })));
    const points = reads.flatMap((read) => Object.values(read.values).map((value) => JSON.stringify(value)));
    expect(new Set(points).size).toBe(1);
    expect(points).toHaveLength(12);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "is where the image shows it with the EXIF orientation %s",
    async (orientation) => {
      // Stored so that it stands upright once its orientation is applied.
      const upright = await sharp(bytesOf(await withDisc(1_050))).toBuffer();
      const undo: Record<number, (image: Sharp) => Sharp> = {
        2: (turned) => turned.flop(),
        3: (turned) => turned.rotate(180),
        4: (turned) => turned.flip(),
        5: (turned) => turned.flop().rotate(270),
        6: (turned) => turned.rotate(270),
        7: (turned) => turned.flop().rotate(90),
        8: (turned) => turned.rotate(90),
      };
      const stored = (undo[orientation] ?? ((same: Sharp) => same))(sharp(upright));
      const bytes = await stored.jpeg().withMetadata({ orientation }).toBuffer();
      const shown = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
      expect(shown.info).toMatchObject({ width: 1_200, height: 200 });
      const declarations = { photo: image() };
      const { values } = await readFields({ declarations, values: { photo: dataUrl("jpeg", bytes) }, path: "" });
      const { focalPoint } = values.photo as { focalPoint: { x: number; y: number } };
      expect(focalPoint.x).toBeCloseTo(0.875, 1);
      expect(focalPoint.y).toBeGreaterThan(0.2);
      expect(focalPoint.y).toBeLessThan(0.8);
    },
  );
});
