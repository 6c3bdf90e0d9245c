import sharp from "sharp";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import { renderPrepared } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { THUMBNAIL_WIDTHS } from "#lib/schemas/thumbnail.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { eventually } from "../../render/rig.ts";
import { templatesRoot, writeTemplate } from "../../templates/template-folder.ts";
import { send } from "../client.ts";
import { bytesOf, countRenders, get, useThumbnails } from "./thumbnails.ts";

const { templates } = useThumbnails();

async function pixelsOf(image: Buffer, size: { width: number; height: number }): Promise<Buffer> {
  return await sharp(image).resize(size).removeAlpha().raw().toBuffer();
}

describe("a thumbnail", () => {
  it("has the requested width, and the proportions and picture of the template", async () => {
    // One of each size. What a thumbnail shows does not depend on the template.
    const sizes = Map.groupBy(templates(), ({ width, height }) => `${width}×${height}`);
    for (const [{ slug, width, height, variants } = expect.fail("no template")] of sizes.values()) {
      const variant = Object.keys(variants).at(-1) ?? "";
      const response = await get(`${slug}?variant=${variant}&width=480`);
      expectSafeHeaders(response, { cacheControl: "private, max-age=60, must-revalidate" });
      expect(response.headers.get("content-type")).toBe("image/webp");
      const bytes = await bytesOf(response);
      expect(response.headers.get("content-length")).toBe(String(bytes.length));
      const size = { width: 480, height: Math.round((height * 480) / width) };
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", ...size });
      const { png } = await renderTemplate({ template: slug, variant });
      const [wanted, got] = await Promise.all([png, bytes].map((one) => pixelsOf(one, size)));
      const apart = got?.reduce((sum, value, at) => sum + Math.abs(value - (wanted?.[at] ?? 0)), 0) ?? 0;
      expect(apart / (got?.length ?? 0), `${slug} ${variant}`).toBeLessThan(4);
    }
  });

  it("is the default variant's, 640 pixels wide, by default", async () => {
    const [{ slug, defaultVariant } = expect.fail("no template")] = templates();
    const plain = await bytesOf(await get(slug));
    expect((await sharp(plain).metadata()).width).toBe(640);
    expect((await bytesOf(await get(`${slug}?variant=${defaultVariant}&width=640`))).equals(plain)).toBe(true);
  });

  it("is never larger than the template", async () => {
    const root = templatesRoot();
    writeTemplate(root, "small/card");
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
    for (const width of THUMBNAIL_WIDTHS) {
      const bytes = await bytesOf(await get(`small/card?width=${width}`));
      const shown = Math.min(width, 400);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: shown, height: shown / 2 });
    }
    const tags = await Promise.all(
      [480, 640, 960].map(async (width) => (await get(`small/card?width=${width}`)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(1);
  });

  it.each([
    ["no/such", "unknown_template", undefined],
    ["social/quote?variant=none", "unknown_variant", undefined],
    ["social/quote?variant=__proto__", "unknown_variant", undefined],
    ["social/quote?variant=", "invalid_request", "/variant"],
    ["social/quote?width=641", "invalid_request", "/width"],
    ["social/quote?width=0640", "invalid_request", "/width"],
    ["social/quote?width=", "invalid_request", "/width"],
    ["social/quote?width=320&width=320", "invalid_request", "/width"],
    ["social/quote?height=320", "invalid_request", "/height"],
    ["social/quote?__proto__=1", "invalid_request", "/__proto__"],
  ] as const)("of %s is refused", async (path, code, at) => {
    const rendered = countRenders();
    const error = await errorOf(await get(path));
    expect([error.code, error.issues?.[0]?.path]).toEqual([code, at]);
    expect(STATUS_OF_CODE[code]).toBe(at ? 400 : 422);
    expect(rendered.count()).toBe(0);
  });
});

describe("thirty thumbnails at once", () => {
  const variants = Array.from({ length: 15 }, (_, index) => [`v${index}`, { title: `Variant ${index}` }]);
  const paths = () =>
    variants.flatMap(([name]) => [320, 480].map((width) => `many/card?variant=${name}&width=${width}`));
  const request = (title: string) =>
    send("POST", "images/render", { json: { template: "many/card", data: { title } } });

  beforeEach(() => {
    const root = templatesRoot();
    const content = JSON.stringify({ plain: { title: "Hello" }, ...Object.fromEntries(variants) });
    writeTemplate(root, "many/card", { "content.json": content });
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  });

  it("are all answered when the queue has no place", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const statuses = paths().map(async (path) => (await get(path)).status);
    expect(await Promise.all(statuses)).toEqual(Array(30).fill(200));
  });

  it.each(["1", "3"])("are all answered with a queue of %s, and requests in between", async (queue) => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", queue);
    expect(new Set(paths()).size).toBe(30);
    let answered = 0;
    const asked = paths().map(async (path) => {
      const { status } = await get(path);
      answered++;
      return status;
    });
    await eventually(() => answered > 2);
    for (let count = 0; count < 3; count++) expect((await request("Between")).status).toBe(200);
    expect(answered).toBeLessThan(30);
    expect(await Promise.all(asked)).toEqual(Array(30).fill(200));
  });

  it("wait while requests fill the queue, and displace none of them", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "8");
    const requests = Array.from({ length: 9 }, (_, index) => request(`Number ${index}`));
    const asked = paths()
      .slice(0, 6)
      .map(async (path) => (await get(path)).status);
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(await Promise.all(asked)).toEqual(Array(6).fill(200));
  });

  it("wait only for a moment where the queue stays full", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "1");
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const client = new AbortController();
    let isFull = true;
    const prepare = (signal: AbortSignal) => abortable(new Promise<never>(() => undefined), signal);
    const held = renderPrepared(prepare, { caller: "other", signal: client.signal }).catch(() => {
      isFull = false;
    });
    expect((await get("many/card")).status).toBe(200);
    expect(isFull).toBe(true);
    client.abort();
    await held;
  });

  it("are abandoned when the client disconnects", async () => {
    const gone = new AbortController();
    const { GET } = await import("../../../app/api/service/thumbnails/[...slug]/route.ts");
    const rendered = countRenders();
    const asked = paths().map((path) => {
      const [slug = "", query] = path.split("?");
      const request = new Request(`http://localhost/?${query}`, { signal: gone.signal });
      return GET(request, { params: Promise.resolve({ slug: slug.split("/") }) });
    });
    await eventually(() => rendered.count() > 0);
    gone.abort();
    await Promise.all(asked);
    expect(rendered.count()).toBeLessThan(6);
    expect((await get("many/card")).status).toBe(200);
  });
});
