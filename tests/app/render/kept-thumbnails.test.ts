import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { rendering } from "#lib/render/render.ts";
import { expectSafeHeaders } from "../../http/requests.ts";
import { eventually } from "../../render/rig.ts";
import { templatesRoot, writeTemplate } from "../../templates/template-folder.ts";
import { bytesOf, countRenders, forget, get, useThumbnails } from "./thumbnails.ts";

const { folder, files } = useThumbnails();

describe("a thumbnail is made once", () => {
  it("for all requests, at the same time and later", async () => {
    const rendered = countRenders();
    const together = await Promise.all(Array.from({ length: 5 }, async () => bytesOf(await get("social/quote"))));
    const later = await bytesOf(await get("social/quote"));
    expect(together.every((bytes) => bytes.equals(later))).toBe(true);
    expect(rendered.count()).toBe(1);
  });

  it("and found after a restart", async () => {
    const bytes = await bytesOf(await get("social/quote"));
    await eventually(() => files().length === 1);
    forget();
    const rendered = countRenders();
    expect((await bytesOf(await get("social/quote"))).equals(bytes)).toBe(true);
    expect(rendered.count()).toBe(0);
  });

  it("and takes no room among the pictures kept for requests", async () => {
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const before = rendering.get().pictures.kept.pictures;
    await bytesOf(await get("social/quote"));
    expect(rendering.get().pictures.kept.pictures).toBe(before);
  });

  it("and again when its content has changed", async () => {
    const tags: (string | null)[] = [];
    for (const title of ["One", "Two"]) {
      const root = templatesRoot();
      writeTemplate(root, "a/card", { "content.json": JSON.stringify({ plain: { title } }) });
      vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
      tags.push((await get("a/card")).headers.get("etag"));
    }
    tags.push((await get("a/card?width=320")).headers.get("etag"));
    expect(new Set(tags).size).toBe(3);
  });
});

describe("a client that has the thumbnail", () => {
  it("gets 304, without a render", async () => {
    const etag = (await get("social/quote")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    rmSync(folder(), { recursive: true, force: true });
    forget();
    const rendered = countRenders();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get("social/quote", { "if-none-match": known });
      expect(response.status).toBe(304);
      expectSafeHeaders(response, { cacheControl: "private, max-age=60, must-revalidate" });
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.has("content-length")).toBe(false);
      expect(await response.text()).toBe("");
    }
    expect(rendered.count()).toBe(0);
    expect((await get("social/quote", { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("a thumbnail kept on disk", () => {
  it.each([
    ["was cut", (file: string) => truncateSync(file, 100)],
    ["is empty", (file: string) => truncateSync(file, 0)],
    [
      "was changed",
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
        writeFileSync(file, bytes);
      },
    ],
  ])("is made again when it %s", async (_how, damage) => {
    const bytes = await bytesOf(await get("social/quote"));
    await eventually(() => files().length === 1);
    const [file = ""] = files();
    damage(file);
    forget();
    const rendered = countRenders();
    expect((await bytesOf(await get("social/quote"))).equals(bytes)).toBe(true);
    expect(rendered.count()).toBe(1);
    await eventually(() => files().length === 1 && readFileSync(file).length === bytes.length + 32);
  });

  it("is optional: when nothing can be written, the answer is the same", async () => {
    writeFileSync(folder(), "a file where the folder belongs");
    expect((await sharp(await bytesOf(await get("social/quote"))).metadata()).width).toBe(640);
  });
});
