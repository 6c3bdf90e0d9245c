import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { exchangeRaw, type Service, startService } from "./service.ts";

const TYPES: Record<string, RegExp> = {
  "apple-touch-icon.png": /^image\/png$/,
  "favicon.ico": /^image\/(?:x-icon|vnd\.microsoft\.icon)$/,
  "front-page.png": /^image\/png$/,
  "icon-192.png": /^image\/png$/,
  "icon-512.png": /^image\/png$/,
  "icon-maskable-512.png": /^image\/png$/,
  "icon.svg": /^image\/svg\+xml$/,
  "manifest.webmanifest": /^application\/manifest\+json/,
};

const NAMES = Object.keys(TYPES);
const PUBLIC_ORIGIN = "https://cards.example.org";

let dir: string;
let service: Service;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-public-"));
  service = await startService({
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_PUBLIC_ORIGIN: PUBLIC_ORIGIN,
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")),
  });
});

afterAll(async () => {
  if (service?.npm.exitCode === null) await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

it("the table has every public file", () => {
  expect(readdirSync("public").toSorted()).toEqual(NAMES);
});

describe("a public file needs no credentials with the access layer on", () => {
  it.each(NAMES)("/%s", async (name) => {
    const response = await fetch(`${service.origin}/${name}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(readFileSync(join("public", name)));
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=86400",
      "content-type": expect.stringMatching(TYPES[name] as RegExp),
      "content-security-policy": expect.stringContaining("default-src 'self'"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.any(String),
    });
    expect(headers).not.toHaveProperty("set-cookie");
    const head = await fetch(`${service.origin}/${name}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, response.headers.get("content-type")]);
  });
});

it.each(["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"])("%s is not allowed on a public file", async (method) => {
  for (const name of NAMES) {
    const answer = await exchangeRaw(service.port, `${method} /${name} HTTP/1.1`);
    expect([name, answer.status, answer.headers.get("allow")]).toEqual([name, 405, "GET, HEAD"]);
  }
});

it.each([
  ["Range: bytes=100000000-", 416],
  ["Range: bytes=5-2", 416],
  ["Range: bytes=0-9", 206],
  ['If-Match: "another"', 200],
  ["If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT", 200],
])("%s is no fault of the service", async (header, status) => {
  expect((await exchangeRaw(service.port, `GET /icon.svg HTTP/1.1\n${header}`)).status).toBe(status);
});

it.each([
  "/../package.json",
  "/favicon.ico/../../package.json",
  "/%2e%2e/package.json",
  "/%2e%2e%2fpackage.json",
  "/favicon.ico%2f..%2f..%2fpackage.json",
  "/..%5cpackage.json",
  "/favicon.ico%00",
  "//favicon.ico",
  "/public/favicon.ico",
  "/package.json",
])("%s reaches no file", async (path) => {
  const answer = await exchangeRaw(service.port, `GET ${path} HTTP/1.1`);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body).not.toContain('"dependencies"');
});

/** The images of an ICO file, whose directory follows a header of 6 bytes with 16 bytes an image. */
function imagesOf(ico: Buffer): Buffer[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const offset = ico.readUInt32LE(entry + 12);
    return ico.subarray(offset, offset + ico.readUInt32LE(entry + 8));
  });
}

const sizeOf = async (png: Buffer) => {
  const { format, width, height } = await sharp(png).metadata();
  return `${format} ${width}x${height}`;
};

it("the icons have the sizes that they are named with", async () => {
  const images = imagesOf(readFileSync("public/favicon.ico"));
  expect(await Promise.all(images.map(sizeOf))).toEqual(["png 16x16", "png 32x32", "png 48x48"]);
  expect(await sizeOf(readFileSync("public/apple-touch-icon.png"))).toBe("png 180x180");
  expect(await sizeOf(readFileSync("public/front-page.png"))).toBe("png 1200x630");
  const { icons } = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8"));
  expect(icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain("maskable");
  for (const { src, sizes } of icons.filter(({ type }: { type: string }) => type === "image/png"))
    expect(await sizeOf(readFileSync(join("public", src)))).toBe(`png ${sizes}`);
});

describe("a script of a page", () => {
  let path: string;
  const ask = (headers: Record<string, string>, method = "GET") =>
    fetch(`${service.origin}${path}`, { method, headers: { "Accept-Encoding": "identity", ...headers } });
  const header = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name));

  beforeAll(async () => {
    const page = await (await fetch(`${service.origin}/login`)).text();
    path = page.match(/\/_next\/static\/[\w/-]+\.js/)?.[0] ?? expect.fail("The page has no script.");
  });

  it.each(["br", "gzip"])("was compressed by the build: %s", async (encoding) => {
    const [plain, compressed] = [await ask({}), await ask({ "Accept-Encoding": encoding })];
    const text = await plain.text();
    expect(await compressed.text()).toBe(text);
    expect(header(compressed, "content-encoding", "vary")).toEqual([encoding, "Accept-Encoding"]);
    expect(header(plain, "content-encoding", "vary")).toEqual([null, "Accept-Encoding"]);
    const kept = ["content-type", "cache-control", "x-content-type-options", "content-security-policy"];
    expect(kept.map((name) => compressed.headers.get(name)?.replace(/nonce-[^']+/, ""))).toEqual(
      kept.map((name) => plain.headers.get(name)?.replace(/nonce-[^']+/, "")),
    );
    expect(Number(compressed.headers.get("content-length"))).toBeLessThan(text.length / 2);
    const head = await ask({ "Accept-Encoding": encoding }, "HEAD");
    const same = ["content-encoding", "content-length", "content-type", "etag", "vary"];
    expect(header(head, ...same)).toEqual(header(compressed, ...same));
  });

  it("has a tag for each encoding, by which a client learns that it has it", async () => {
    const responses = await Promise.all(["br", "gzip", "identity"].map((value) => ask({ "Accept-Encoding": value })));
    const tags = responses.map((response) => response.headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(3);
    // `fetch` would add `Cache-Control: no-cache`.
    const request = (tag: string) => `GET ${path} HTTP/1.1\nAccept-Encoding: br\nIf-None-Match: ${tag}`;
    const answers = await Promise.all(tags.map((tag) => exchangeRaw(service.port, request(tag))));
    expect(answers.map(({ status }) => status)).toEqual([304, 200, 200]);
    expect(answers[0]?.headers.get("vary")).toBe("Accept-Encoding");
  });

  it("is sent whole where a part of it is asked for", async () => {
    const [part, whole] = [await ask({ Range: "bytes=0-9" }), await ask({})];
    expect([part.status, ...header(part, "content-range")]).toEqual([200, null]);
    expect(await part.text()).toBe(await whole.text());
  });

  it("is not posted to", async () => {
    expect((await ask({}, "POST")).status).toBe(405);
  });
});

it("a page names its icons, its manifest and its link preview, whose address is the configured origin's", async () => {
  const answer = await exchangeRaw(service.port, "GET /login HTTP/1.1\nX-Forwarded-Host: evil.example");
  const tags = answer.body.match(/<(?:link|meta)[^>]+>/g)?.join("\n") ?? "";
  expect(tags).toContain('<link rel="icon" href="/favicon.ico"');
  expect(tags).toContain('<link rel="icon" href="/icon.svg" type="image/svg+xml"');
  expect(tags).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"');
  expect(tags).toContain('<link rel="manifest" href="/manifest.webmanifest"');
  expect(tags).toContain(`<meta property="og:image" content="${PUBLIC_ORIGIN}/front-page.png"`);
  expect(answer.body).not.toContain("evil.example");
});

describe("the workshop, which writes files,", () => {
  it.each(["/workshop/social/quote", "/api/workshop/files/social/quote", "/api/workshop/changes"])(
    "is not in a production build: %s",
    async (path) => {
      expect((await fetch(`${service.origin}${path}`, { redirect: "manual" })).status).toBe(404);
      const post = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      expect((await fetch(`${service.origin}${path}`, { ...post, redirect: "manual" })).status).toBeGreaterThanOrEqual(
        404,
      );
    },
  );

  it("and none of its editor and its routes is in a file of the build", () => {
    const folders = [".next/server", ".next/static"];
    // A route's folder may be called `openapi.json`.
    const scripts = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name)),
    );
    expect(scripts.length).toBeGreaterThan(50);
    const found = scripts
      .filter((name) => /\.(?:js|json|css)$/.test(name))
      .filter((name) => /cm-editor|api\/workshop|x-platen-peer/.test(readFileSync(name, "utf8")));
    expect(found).toEqual([]);
  });
});
