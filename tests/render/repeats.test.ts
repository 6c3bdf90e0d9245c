import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { VERSION } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import manifest from "../../package.json" with { type: "json" };
import { prepareMachine } from "./rig.ts";

const SLUG = "social/quote";

beforeAll(async () => {
  await prepareMachine();
  await getRegistry();
});
beforeEach(() => {
  rendering.get().pictures.clear();
  vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
});
afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

const quote = (text: string) => ({ template: SLUG, data: { quote: text } });

describe("a request that was answered before", () => {
  test("is answered from memory, with the same bytes and the same tag", async () => {
    const first = await renderTemplate(quote("Once"));
    const again = await renderTemplate(quote("Once"));
    expect([first.source, again.source]).toEqual(["drawn", "cache"]);
    expect(again.png.equals(first.png)).toBe(true);
    expect(again.etag).toBe(first.etag);
    expect(first.etag).toMatch(/^"[\w-]{43}"$/);
  });

  test("is drawn again when anything differs that could change a pixel", async () => {
    const tags = new Set<string | undefined>();
    const draw = async (request: Parameters<typeof renderTemplate>[0]) => {
      const { source, etag } = await renderTemplate(request);
      expect(source).toBe("drawn");
      tags.add(etag);
    };
    await draw({ template: SLUG });
    await draw(quote("One"));
    await draw(quote("Two"));
    const { templates } = await getRegistry();
    const template = templates.find(({ slug }) => slug === SLUG) ?? expect.fail("no template");
    const other = Object.keys(template.variants).find((name) => name !== template.defaultVariant);
    await draw({ ...quote("One"), variant: other });
    vi.stubEnv("SERVICE_RENDER_PNG", "small");
    await draw(quote("One"));
    const { hash } = template;
    template.hash = "another";
    await draw(quote("One"));
    template.hash = hash;
    // Another build of the same version.
    const code = processState("code-version", () => ({ version: "" }));
    const own = code.get();
    code.replace({ version: "another" });
    await draw(quote("One"));
    code.replace(own);
    expect(tags.size).toBe(7);
  });

  test("is drawn again when nothing is kept", async () => {
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "0");
    for (let count = 0; count < 2; count++) expect((await renderTemplate(quote("Forgotten"))).source).toBe("drawn");
  });

  test("that failed is tried again", async () => {
    const wrong = { template: SLUG, data: { nothing: 1 } };
    for (let count = 0; count < 2; count++)
      await expect(renderTemplate(wrong)).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("with more data than a key is worth is drawn each time", async () => {
    const { templates } = await getRegistry();
    const withImage =
      templates.flatMap(({ slug, fields }) =>
        Object.entries(fields).flatMap(([name, { type }]) => (type === "image" ? [{ slug, name }] : [])),
      )[0] ?? expect.fail("no template has an image");
    const raw = { width: 200, height: 200, channels: 3 } as const;
    const noise = await sharp(randomBytes(200 * 200 * 3), { raw })
      .png()
      .toBuffer();
    const data = { [withImage.name]: `data:image/png;base64,${noise.toString("base64")}` };
    for (let count = 0; count < 2; count++) {
      const picture = await renderTemplate({ template: withImage.slug, data });
      expect(picture).toMatchObject({ source: "drawn", etag: undefined });
    }
  });
});

describe("requests for the same picture at the same time", () => {
  test("are drawn once", async () => {
    const pictures = await Promise.all(Array.from({ length: 20 }, () => renderTemplate(quote("At once"))));
    expect(pictures.filter(({ source }) => source === "drawn")).toHaveLength(1);
    expect(pictures.filter(({ source }) => source === "shared")).toHaveLength(19);
    expect(new Set(pictures.map(({ png }) => png))).toHaveProperty("size", 1);
  });

  test("take one place in a full queue", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    await Promise.all(Array.from({ length: 5 }, () => renderTemplate(quote("One place"))));
  });

  test("of several callers are drawn for each, and later from memory for everyone", async () => {
    const callers = ["a", "a", "b", "c"];
    const pictures = await Promise.all(callers.map((caller) => renderTemplate(quote("Apart"), { caller })));
    expect(pictures.map(({ source }) => source)).toEqual(["drawn", "shared", "drawn", "drawn"]);
    expect(new Set(pictures.map(({ png }) => png.toString("base64"))).size).toBe(1);
    for (const caller of [...callers, "d"])
      expect((await renderTemplate(quote("Apart"), { caller })).source).toBe("cache");
  });
});

test("the version that tags are made of is the package's", () => {
  expect(VERSION).toBe(manifest.version);
});
