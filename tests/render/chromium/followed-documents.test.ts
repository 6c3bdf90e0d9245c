import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import type { RenderJob } from "#lib/render/render-job.ts";
import { DOCUMENTS_PER_PAGE } from "#lib/render/render-limits.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { colorAt, prepareMachine } from "../rig.ts";

let documents: RenderJob[];

beforeAll(async () => {
  await prepareMachine();
  const { templates } = await getRegistry();
  // One variant of each template, another one from template to template, so that many scripts follow each other.
  documents = templates.map((template, index) => {
    const variants = Object.values(template.variants);
    return composeDocument(template, variants[index % variants.length]?.values ?? expect.fail("no variant"));
  });
});

afterAll(shutDown);

const size = { width: 400, height: 300 };

/** A document as composed from a checked template. */
function composed(body: string, css = ""): RenderJob {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  return {
    ...size,
    html: `<!doctype html>${policy}<style>body{margin:0}${css}</style><body>${body}`,
    sharesPage: true,
  };
}

async function bytesOf(job: RenderJob): Promise<string> {
  return (await renderPicture(job)).png.toString("base64");
}

/** Renders in a blank page, which is made blank afterwards. */
const alone = (job: RenderJob) => bytesOf({ ...job, sharesPage: false });

describe("a document that replaces another in the page", () => {
  test("is rendered as in a blank page: every template, one after another", async () => {
    const expected: string[] = [];
    for (const document of documents) expected.push(await alone(document));
    // Each follows the one before it, and itself.
    for (const [index, document] of documents.entries())
      for (const _ of ["after another", "again"]) expect(await bytesOf(document)).toBe(expected[index]);
  }, 180_000);

  test("shows the first moment of an animated background, which the browser keeps for all documents of a page", async () => {
    const drawing =
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='%23f00'><animate attributeName='fill' from='%23f00' to='%230f0' dur='1ms' fill='freeze'/></rect></svg>";
    const shown = composed("", `body{height:300px;background:url("data:image/svg+xml,${drawing}")}`);
    const html = shown.html.replace("style-src", "img-src data:; style-src");
    for (const _ of ["first", "again"])
      expect(await colorAt((await renderPicture({ ...shown, html })).png, { x: 100, y: 100 })).toBe("#ff0000");
  });

  test("restarts its animations, and inherits no scroll position, focus, dialog or font", async () => {
    const before = composed(
      `<div id="here" style="height:4000px"><dialog open>modal</dialog><input autofocus style="margin-top:2000px"></div>`,
      `html{scroll-behavior:smooth;background:red;font-size:90px} @property --tint{syntax:"<color>";inherits:true;initial-value:red} @font-face{font-family:Inter;src:local("Noto Serif")} *{color:red!important;animation:in 1s}`,
    );
    const after = composed(
      `<p style="font:20px Inter;color:var(--tint,#0000ff)">A text<div class="box"></div>`,
      ".box{width:50px;height:50px;background:#00f;animation:slide 1s linear infinite;transition:all 1s} @keyframes slide{from{margin-left:0}to{margin-left:300px}}",
    );
    const expected = await alone(after);
    for (let count = 0; count < 5; count++) {
      await bytesOf(before);
      expect(await bytesOf(after)).toBe(expected);
    }
  });

  test.each([
    ["snapping", "html{scroll-snap-type:y mandatory;overflow:scroll}i{scroll-snap-align:start}"],
    ["an initial target", "i{scroll-initial-target:nearest}"],
  ])("starts at the top after one that was scrolled by %s", async (_, css) => {
    const before = composed('<div style="height:2000px"></div><i style="display:block;height:900px">there</i>', css);
    const after = composed(
      '<p>A text<div style="width:3000px;height:4000px;background:linear-gradient(45deg,red,blue)">',
      "html{overflow:hidden}",
    );
    const expected = await alone(after);
    await bytesOf(before);
    expect(await bytesOf(after)).toBe(expected);
  });

  test("is rendered the same after many others, and after the page was made blank between them", async () => {
    const expected = await alone(composed("<h1>the same"));
    for (let count = 0; count < 2 * DOCUMENTS_PER_PAGE + 2; count++) {
      await bytesOf(composed(`<h1 style="background:#${(0x100000 + count * 999).toString(16)}">${count}`));
      expect(await bytesOf(composed("<h1>the same"))).toBe(expected);
    }
  });
});

test("a page whose change of size was aborted is not mistaken for one of the last size", async () => {
  const small = { ...size, html: "<p>small" };
  const large = { width: 3_000, height: 3_000, html: "<p>large" };
  for (let ms = 0; ms < 20; ms++) {
    await renderPicture(small);
    const given = new AbortController();
    const drawn = renderPicture(large, { signal: given.signal });
    setTimeout(() => given.abort(new Error("gone")), ms);
    await drawn.catch(() => undefined);
    expect(await sharp((await renderPicture(small)).png).metadata()).toMatchObject(size);
  }
});

test("a render that is aborted while the page becomes blank for it does not disturb the next one", async () => {
  const blue = composed('<div style="height:300px;background:#0000ff">');
  const other = { ...composed("other"), width: 500 };
  for (let count = 0; count < 30; count++) {
    await renderPicture(blue);
    const given = new AbortController();
    const drawn = renderPicture(other, { signal: given.signal });
    setTimeout(() => given.abort(new Error("gone")), count % 6);
    await drawn.catch(() => undefined);
    expect(await colorAt((await renderPicture(blue)).png, { x: 5, y: 5 })).toBe("#0000ff");
  }
});

test("an untrusted document neither replaces a composed one in the page nor is replaced by one", async () => {
  const red = composed('<div style="height:300px;background:#ff0000">');
  await renderPicture(red);
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'none'">`;
  await renderPicture({ ...size, html: policy });
  expect(await colorAt((await renderPicture(red)).png, { x: 5, y: 5 })).toBe("#ff0000");
});

test("a document that requested a blocked address is not replaced by another", async () => {
  const asking = composed('<div style="height:300px;background:url(https://images.example/1.png)">');
  expect((await renderPicture(asking)).blockedRequests).toHaveLength(1);
  const left = await renderPicture({ ...composed("x"), measure: "(window.left = 1)" });
  expect(left.measured).toBe(1);
  await renderPicture(asking);
  expect((await renderPicture({ ...composed("x"), measure: "typeof window.left" })).measured).toBe("undefined");
});
