import { beforeEach, describe, expect, it, vi } from "vitest";
import { rendering } from "#lib/render/render.ts";
import { pictureStore } from "#lib/render/store/picture-store.ts";
import { send } from "../app/client.ts";
import { useRendering } from "../render/rendering.ts";
import { templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { LINK_KEYS, linkTo } from "./links.ts";
import { useObjectServer } from "./object-server.ts";

// Tests fail when the store does the wrong thing, not when the machine is slow.
vi.mock("#lib/render/store/store-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/render/store/store-limits.ts")>();
  return { ...limits, STORE_READ_MS: 30_000, STORE_WRITE_MS: 30_000 };
});

/** Takes the work that Next does after the response. Only Next's own server can do it. */
const afterResponse = vi.hoisted(() => vi.fn<(work: () => Promise<void>) => void>());

vi.mock("next/server.js", async (importOriginal) => ({
  ...(await importOriginal<typeof import("next/server.js")>()),
  after: afterResponse,
}));

useRendering();
const server = useObjectServer();

describe("a link whose picture another replica has drawn", () => {
  const link = linkTo({ template: "small/card", data: { title: "Shared" } });

  beforeEach(() => {
    vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS);
    const root = templatesRoot();
    writeTemplate(root, "small/card");
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  });

  it("is answered from the store, without a render", async () => {
    const first = await send("GET", link);
    const drawn = Buffer.from(await first.arrayBuffer());
    await expect.poll(() => server().requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
    const key = first.headers.get("etag")?.slice(1, -1) ?? "";
    await expect.poll(() => pictureStore()?.read(key, { width: 400, height: 200 })).toBeDefined();
    const render = vi.spyOn(rendering.get(), "render");
    const again = await send("GET", link);
    expect(Buffer.from(await again.arrayBuffer()).equals(drawn)).toBe(true);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(render).not.toHaveBeenCalled();
  });

  it("is written before the platform suspends the process", async () => {
    vi.stubEnv("VERCEL", "1");
    vi.stubEnv("SERVICE_DATA_DIR", ".data");
    const stored = Promise.withResolvers<void>();
    server().answerWith(async (response) => {
      if (response.req.method === "PUT") await stored.promise;
      response.writeHead(response.req.method === "PUT" ? 200 : 404).end();
    });
    expect((await send("GET", linkTo({ template: "small/card", data: { title: "Late" } }))).status).toBe(200);
    let isOver = false;
    const work = Promise.all(afterResponse.mock.calls.map(([act]) => act())).then(() => {
      isOver = true;
    });
    await expect.poll(() => server().requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
    expect(isOver).toBe(false);
    stored.resolve();
    await work;
  });

  it("is drawn where the store is down", async () => {
    vi.stubEnv("SERVICE_CACHE_S3_URL", "http://127.0.0.1:9/pictures");
    expect((await send("GET", linkTo({ template: "small/card", data: { title: "Alone" } }))).status).toBe(200);
  });

  it("leaves the store alone in a render that is no link's", async () => {
    const json = { template: "small/card", data: { title: "Private" } };
    expect((await send("POST", "images/render", { json })).status).toBe(200);
    expect(server().requests).toEqual([]);
  });
});
