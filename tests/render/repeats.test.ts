import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { VERSION } from "#lib/config.ts";
import { PictureCache } from "#lib/render/picture-cache.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { shared } from "#lib/render/shared.ts";
import { SingleFlight } from "#lib/render/single-flight.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import manifest from "../../package.json" with { type: "json" };
import { prepareMachine } from "./rig.ts";

const SLUG = "social/quote";

beforeAll(async () => {
  await prepareMachine();
  await buildRegistry();
});
beforeEach(() => {
  shared.get().cache = new PictureCache();
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
    vi.stubEnv("SERVICE_RENDER_PNG", "fast");
    await draw(quote("One"));
    const { hash } = template;
    template.hash = "another";
    await draw(quote("One"));
    template.hash = hash;
    expect(tags.size).toBe(6);
  });

  test("is drawn again when nothing is kept, or when others have taken the room", async () => {
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "0");
    await renderTemplate(quote("Forgotten"));
    expect((await renderTemplate(quote("Forgotten"))).source).toBe("drawn");
    const cache = new PictureCache();
    const get = (key: string) =>
      cache.get({
        key,
        caller: "",
        limitBytes: 30_000,
        draw: async () => ({ png: Buffer.alloc(10_000), warnings: [] }),
      });
    for (const key of ["a", "b", "c", "a"]) expect((await get(key)).source).toBe("drawn");
    expect((await get("c")).source).toBe("cache");
  });

  test("that failed is tried again", async () => {
    const wrong = { template: SLUG, data: { nothing: 1 } };
    for (let count = 0; count < 2; count++)
      await expect(renderTemplate(wrong)).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("with more data than is worth a key is drawn each time", async () => {
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

  test("end together only when everyone has left", async () => {
    const work = new SingleFlight<string>();
    const done = Promise.withResolvers<string>();
    const seen: AbortSignal[] = [];
    const make = (signal: AbortSignal) => {
      seen.push(signal);
      return done.promise;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = work.run("key", make, one.signal);
    const second = work.run("key", make, two.signal);
    one.abort(new Error("one left"));
    await expect(first).rejects.toThrow("one left");
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
    two.abort(new Error("two left"));
    await expect(second).rejects.toThrow("two left");
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
    const third = work.run("key", make);
    done.resolve("made");
    expect(await third).toEqual({ result: "made", isShared: false });
    expect(seen).toHaveLength(2);
  });

  test("fail alike, and leave nothing behind", async () => {
    const work = new SingleFlight<string>();
    const fail = () => Promise.reject(new Error("no"));
    const both = await Promise.allSettled([work.run("key", fail), work.run("key", fail)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await work.run("key", async () => "yes")).toEqual({ result: "yes", isShared: false });
  });
});

test("the version that tags are made of is the package's", () => {
  expect(VERSION).toBe(manifest.version);
});
