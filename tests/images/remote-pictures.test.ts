import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { FetchedBytes } from "#lib/images/remote/fetched-bytes.ts";
import { processState } from "#lib/process-state.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { afterTest } from "../clean-up.ts";
import { prepareMachine } from "../render/rig.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { dataUrl, picture } from "./files.ts";
import { serve } from "./remote-server.ts";

beforeAll(prepareMachine);
afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

beforeEach(() => {
  const root = templatesRoot();
  writeTemplate(root, "photo", {
    "template.json": manifestWith(
      {
        photo: { type: "image", label: "Photo" },
        backdrop: { type: "image", label: "Backdrop", onError: "placeholder" },
        mark: { type: "image", label: "Mark", onError: "placeholder", required: true },
      },
      { width: 60, height: 20 },
    ),
    "content.json": JSON.stringify({
      plain: { mark: dataUrl("gif", Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64")) },
    }),
    "template.html": ["photo", "backdrop", "mark"]
      .map(
        (name) => `{% if ${name} %}<img src="{{ ${name} }}" data-image="${name}" alt="">{% else %}<i></i>{% endif %}`,
      )
      .join(""),
    "style.css": "body { display: flex } img, i { width: 20px; height: 20px; background: #fff }",
  });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
  rendering.get().pictures.clear();
});

async function pixelsOf(png: Buffer): Promise<number[][]> {
  const data = await sharp(png).removeAlpha().raw().toBuffer();
  return [10, 30, 50].map((x) => [...data.subarray((10 * 60 + x) * 3, (10 * 60 + x) * 3 + 3)]);
}

const draw = (data: Record<string, unknown>) => renderTemplate({ template: "photo", data });

/** Serves an image of a colour that can be changed, from an allowed host. */
async function serveColor() {
  const state = { color: "#f00", status: 200 };
  const server = await serve(async (_, response) => {
    response.statusCode = state.status;
    response.end(await picture(20, 20, state.color).png().toBuffer());
  });
  vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", `http://localhost:${server.port}`);
  return { state, server, url: `http://localhost:${server.port}/a.png` };
}

/** Runs with a limit for the bytes of fetched images. */
function limitFetchedBytes(limitBytes: number): FetchedBytes {
  const bytes = new FetchedBytes(limitBytes);
  const state = processState("fetched-bytes", () => bytes);
  state.replace(bytes);
  afterTest(() => state.reset());
  return bytes;
}

describe("pictures with fetched images that are too large for the memory", () => {
  test("are refused to the caller that holds most, and drawn for others", async () => {
    const bytes = limitFetchedBytes(1_500_000);
    const image = await picture(20, 20, "#f00").png().toBuffer();
    const arrived = Promise.withResolvers<void>();
    const server = await serve(async (request, response) => {
      if (request.url === "/small.png") return void response.end(image);
      // Decoders ignore what follows the end of a PNG.
      response.write(Buffer.concat([image, Buffer.alloc(1_000_000)]));
      await arrived.promise;
      response.end();
    });
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", `http://localhost:${server.port}`);
    const drawAs = (caller: string, name: string) =>
      renderTemplate({ template: "photo", data: { photo: `http://localhost:${server.port}/${name}.png` } }, { caller });
    const flood = [0, 1, 2].map(() => drawAs("flood", "large").catch((error) => error));
    const refused = await Promise.any(flood);
    expect(refused).toMatchObject({ code: "overloaded", status: 503 });
    await expect(drawAs("other", "small")).resolves.toMatchObject({ source: "drawn" });
    arrived.resolve();
    expect((await Promise.all(flood)).filter((result) => "png" in result)).toHaveLength(1);
    expect(bytes.heldBytes).toBe(0);
  });
});

describe("a picture with a fetched image", () => {
  test("shows it and is rendered again each time, because the image may change", async () => {
    const { state, server, url } = await serveColor();
    const first = await draw({ photo: url });
    expect(first).toMatchObject({ source: "drawn", etag: undefined, warnings: [] });
    expect((await pixelsOf(first.png))[0]).toEqual([255, 0, 0]);
    state.color = "#00f";
    const second = await draw({ photo: url });
    expect(second).toMatchObject({ source: "drawn", etag: undefined });
    expect((await pixelsOf(second.png))[0]).toEqual([0, 0, 255]);
    expect(server.requests).toHaveLength(2);
  });

  test("is not shared by concurrent requests", async () => {
    const { server, url } = await serveColor();
    const both = await Promise.all([draw({ photo: url }), draw({ photo: url })]);
    expect(both.map(({ source }) => source)).toEqual(["drawn", "drawn"]);
    expect(server.requests).toHaveLength(2);
  });

  test("is the only kind that is not cached: one with an embedded image is", async () => {
    const photo = dataUrl("png", await picture(20, 20).png().toBuffer());
    expect((await draw({ photo })).source).toBe("drawn");
    expect((await draw({ photo })).source).toBe("cache");
  });

  test("is refused when the image's server fails, with the name of the field", async () => {
    const { state, url } = await serveColor();
    state.status = 500;
    await expect(draw({ photo: url })).rejects.toMatchObject({
      code: "image_rejected",
      status: 422,
      issues: [
        { path: "/data/photo", code: "image_rejected", message: "The server of the image answered with status 500." },
      ],
    });
  });

  test("is rendered without the image where the field allows it, with warnings", async () => {
    const { state, url } = await serveColor();
    state.status = 500;
    const { png, warnings } = await draw({ backdrop: url, mark: url });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["/data/backdrop", "image_unavailable"],
      ["/data/mark", "image_unavailable"],
    ]);
    const [, backdrop, mark] = await pixelsOf(png);
    expect(backdrop, "as if it were empty").toEqual([255, 255, 255]);
    expect(mark, "a translucent grey").toEqual([220, 220, 220]);
  });

  test("is rendered without the image of a server that does not answer, also where an image may take as long as its render", async () => {
    const server = await serve(() => undefined);
    const url = `http://localhost:${server.port}/a.png`;
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", `http://localhost:${server.port}`);
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "6000");
    vi.stubEnv("SERVICE_IMAGE_TIMEOUT_MS", "6000");
    const { warnings } = await draw({ backdrop: url });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([["/data/backdrop", "image_unavailable"]]);
  });

  test("delays no picture of its caller without one, while its server does not answer", async () => {
    const server = await serve(() => undefined);
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", `http://localhost:${server.port}`);
    const client = new AbortController();
    const options = { caller: "app", signal: client.signal };
    const fetching = Array.from({ length: 8 }, (_, index) =>
      renderTemplate({ template: "photo", data: { photo: `http://localhost:${server.port}/${index}` } }, options),
    );
    const gone = Promise.allSettled(fetching);
    await expect.poll(server.open).toBeGreaterThan(0);
    const { source } = await renderTemplate({ template: "photo", data: {} }, { caller: "app" });
    expect([source, rendering.get().state.waiting]).toEqual(["drawn", fetching.length]);
    client.abort();
    await gone;
  });

  test("is refused when the host is not allowed", async () => {
    await expect(draw({ photo: "https://example.com/a.png" })).rejects.toMatchObject({
      code: "image_rejected",
      issues: [{ path: "/data/photo", message: expect.stringContaining("the operator has to name the hosts") }],
    });
  });
});

test("an invalid list of hosts makes every render fail as misconfigured", async () => {
  vi.stubEnv("SERVICE_IMAGE_HOSTS", "*");
  await expect(draw({})).rejects.toMatchObject({
    code: "misconfigured",
    message: expect.stringContaining("SERVICE_IMAGE_HOSTS: want hosts"),
  });
});
