import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import { colorAt, prepareMachine } from "../rig.ts";

// As a service compresses them.
vi.stubEnv("SERVICE_RENDER_PNG", "balanced");

beforeAll(prepareMachine);
afterAll(shutDown);

const CARD = {
  html: `<!doctype html><style>
    @keyframes slide { from { transform: translateX(0) } to { transform: translateX(900px) } }
    body { margin: 0; background: linear-gradient(120deg, #1d4ed8, #9333ea 60%, #f59e0b); color: #fff; font: 600 72px Inter }
    p { font-size: 30px; opacity: .8; animation: slide .2s linear infinite; transition: opacity 1s; filter: drop-shadow(0 4px 8px #0008) }
  </style><body><div style="padding:80px">A card, 東京 and العربية<p>moves if frames are drawn without a command</p></div>`,
  width: 1200,
  height: 630,
};

describe("the same document gives the same bytes", () => {
  test("thirty times", async () => {
    const first = await renderPicture(CARD);
    for (let count = 1; count < 30; count++) expect((await renderPicture(CARD)).png.equals(first.png)).toBe(true);
  });

  test("after other sizes, and at every size", async () => {
    const sizes = [
      [400, 400],
      [1080, 1920],
      [4000, 4000],
      [1200, 630],
    ] as const;
    const draw = async () => {
      const pictures = [];
      for (const [width, height] of sizes)
        pictures.push((await renderPicture({ ...CARD, width, height })).png.toString("base64"));
      return pictures;
    };
    const [first, second] = [await draw(), await draw()];
    expect(first.every((picture, index) => picture === second[index])).toBe(true);
  });

  test("after failures and hostile documents", async () => {
    const first = await renderPicture(CARD);
    await renderPicture({ ...CARD, measure: "nothing.here" }).catch(() => undefined);
    await renderPicture({
      ...CARD,
      html: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'none'"><iframe src="http://a.test"></iframe>`,
    });
    expect((await renderPicture(CARD)).png.equals(first.png)).toBe(true);
  });

  test("when thirty renders are requested at once", async () => {
    const pictures = await Promise.all(Array.from({ length: 30 }, () => renderPicture(CARD)));
    expect(new Set(pictures.map(({ png }) => png.toString("base64"))).size).toBe(1);
  });
});

test.for([
  [1, 1],
  [16, 16],
  [333, 777],
  [2400, 1260],
  [4096, 4096],
] as const)("a picture of %i × %i has exactly that size", async ([width, height]) => {
  const { png } = await renderPicture({ html: "<body style='margin:0;background:#123456'>", width, height });
  expect(await sharp(png).metadata()).toMatchObject({ format: "png", width, height, channels: 3 });
  expect(await colorAt(png, { x: width - 1, y: height - 1 })).toBe("#123456");
});

test("a document without a background is white", async () => {
  const { png } = await renderPicture({ html: "<!doctype html>", width: 20, height: 20 });
  expect(await colorAt(png, { x: 10, y: 10 })).toBe("#ffffff");
});

async function largePhoto(): Promise<string> {
  const [width, height] = [2400, 1600];
  const noise = Buffer.alloc(
    width * height * 3,
    Buffer.from(Array.from({ length: 7_919 }, (_, i) => (i * 7_919 * (i % 13)) & 255)),
  );
  const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
    .composite([
      { input: { create: { width: 200, height: 200, channels: 3, background: "#ff0000" } }, left: 1100, top: 700 },
    ])
    .jpeg({ quality: 70 })
    .toBuffer();
  expect(jpeg.length).toBeGreaterThan(1_400_000);
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}

test.for([
  ["an image", (url: string) => `<img style="width:100%" src="${url}">`],
  ["a lazy image", (url: string) => `<img loading="lazy" decoding="async" style="width:100%" src="${url}">`],
  ["a background", (url: string) => `<div style="height:800px;background:url(${url}) 0/100% 100%">`],
  [
    "an image in an SVG",
    (url: string) =>
      `<svg style="display:block" width="1200" height="800"><image width="1200" height="800" href="${url}"/></svg>`,
  ],
] as const)("the first frame contains a 1.4 MB photo: %s", async ([, body]) => {
  const { png } = await renderPicture({
    html: `<!doctype html><body style="margin:0">${body(await largePhoto())}`,
    width: 1200,
    height: 800,
  });
  const color = await colorAt(png, { x: 600, y: 400 });
  expect(Number.parseInt(color.slice(1, 3), 16)).toBeGreaterThan(240);
  expect(Number.parseInt(color.slice(3, 5), 16)).toBeLessThan(20);
  expect(await colorAt(png, { x: 10, y: 10 })).not.toBe("#ffffff");
});

describe("a picture after an untrusted one", () => {
  const paint = async (html: string, size = 300) => await renderPicture({ html, width: size, height: size });
  const BLANK = "<!doctype html>";

  test("shows nothing of it", async () => {
    const expected = await paint(BLANK);
    await paint(
      `<!doctype html><title>x</title><base href="data:,"><style>html{background:red}*{color:red!important}</style><body style="height:9000px;font-size:90px">RED<script>1</script><dialog open>modal</dialog><iframe srcdoc="red"></iframe>`,
    );
    expect((await paint(BLANK)).png.equals(expected.png)).toBe(true);
  });

  test("is not restricted by its content policy", async () => {
    const red = "<!doctype html><style>body{background:#ff0000}</style><body>";
    await paint(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'">${red}`);
    expect(await colorAt((await paint(red)).png, { x: 5, y: 5 })).toBe("#ff0000");
  });

  test("inherits none of its state", async () => {
    const state = `(() => { const now = [document.title, document.compatMode, history.length, window.left, scrollY, location.href, document.styleSheets.length]; window.left = 1; document.title = "left"; scrollTo(0, 500); location.hash = "left"; return now; })()`;
    const first = await renderPicture({
      html: "<!doctype html><body style='height:5000px'>",
      width: 300,
      height: 300,
      measure: state,
    });
    await renderPicture({ html: "<style>*{}</style>quirks", width: 300, height: 300, measure: state });
    const third = await renderPicture({
      html: "<!doctype html><body style='height:5000px'>",
      width: 300,
      height: 300,
      measure: state,
    });
    expect(third.measured).toEqual(first.measured);
  });

  test("does not inherit a refresh that was due later", async () => {
    await paint(`<!doctype html><meta http-equiv="refresh" content="1;url=about:blank"><body style="background:red">`);
    const end = performance.now() + 1_500;
    while (performance.now() < end)
      expect(await colorAt((await paint("<body style='background:#00ff00'>", 50)).png, { x: 9, y: 9 })).toBe("#00ff00");
  });
});

test("text with lone surrogates, NUL and every line ending is rendered", async () => {
  const { png } = await renderPicture({
    html: `<!doctype html><body>\ud800 \udc00 \0 \u2028 \r\n ${"\u0301".repeat(10_000)}`,
    width: 300,
    height: 300,
  });
  expect(png.length).toBeGreaterThan(100);
});

test("a document of 17 MB is rendered, and does not delay the next one", async () => {
  await renderPicture({ html: `<!doctype html><p>x<!--${"a".repeat(17_000_000)}-->`, width: 300, height: 300 });
  const startedAt = performance.now();
  await renderPicture({ html: "<p>x", width: 300, height: 300 });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
});

test("a measurement returns its value, sees the laid-out page, and may change it before the picture is taken", async () => {
  const { png, measured, timings } = await renderPicture({
    html: "<!doctype html><body style='margin:0'><p style='margin:0;width:123px'>x",
    width: 300,
    height: 300,
    measure:
      "(() => { document.body.style.background = '#00ff00'; return { width: document.querySelector('p').offsetWidth }; })()",
  });
  expect(measured).toEqual({ width: 123 });
  expect(await colorAt(png, { x: 200, y: 200 })).toBe("#00ff00");
  expect(Object.keys(timings)).toEqual(["queue", "compose", "load", "capture", "encode"]);
});

test("a measurement that fails is a render_failed without its text", async () => {
  await expect(renderPicture({ html: "x", width: 300, height: 300, measure: "secret.path" })).rejects.toMatchObject({
    code: "render_failed",
    message: "The document could not be measured.",
  });
});
