import { describe, expect, it, vi } from "vitest";
import type { ErrorCode } from "#lib/errors.ts";
import { rendering } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { METHODS, send } from "../app/client.ts";
import { captureLog } from "../captured-log.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { picture } from "../images/files.ts";
import { serve } from "../images/remote-server.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { base64url, CARD, expectNotFound, get, NOW, useLinks } from "./linked-card.ts";
import { KEY, LINK_KEYS, linkTo, OTHER_KEY } from "./links.ts";

useLinks();

/** Checks a 200 for everyone, and returns its picture. */
async function pictureOf(response: Response, cacheControl = "public, max-age=86400"): Promise<Buffer> {
  expect(response.status).toBe(200);
  expectSafeHeaders(response, { cacheControl, shownBy: "cross-origin" });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-length")).toBe(String(bytes.length));
  return bytes;
}

describe("a link", () => {
  it("is answered with the picture of its render, for everyone and for a day", async () => {
    const { png, etag } = await renderTemplate(CARD);
    for (const key of [KEY, OTHER_KEY]) {
      const response = await get(linkTo(CARD, key));
      expect((await pictureOf(response)).equals(png)).toBe(true);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.get("content-disposition")).toBe('inline; filename="small-card.png"');
    }
  });

  it("is answered the same whatever the request's other headers say", async () => {
    const headers = {
      accept: "text/html",
      authorization: "Basic x",
      cookie: "service_session=x",
      origin: "https://elsewhere.example",
      prefer: "handling=strict",
      range: "bytes=0-9",
      "if-modified-since": new Date(NOW).toUTCString(),
      "if-match": '"x"',
      "x-forwarded-host": "elsewhere.example",
      "x-original-url": "/healthz",
    };
    const link = linkTo({
      ...CARD,
      data: { title: "A title that is far too long for its box. ".repeat(4).slice(0, 80) },
    });
    const [plain, decorated] = [await get(link), await get(link, headers)];
    const named = (response: Response) => [...response.headers].filter(([name]) => name !== "x-request-id");
    expect(named(decorated)).toEqual(named(plain));
    expect((await pictureOf(decorated)).equals(await pictureOf(plain))).toBe(true);
  });

  it("is kept for no longer than until it expires, and is not found from then on", async () => {
    const expires = Math.floor(NOW / 1_000) + 60;
    const link = linkTo({ ...CARD, expires });
    const { headers } = await get(link);
    expect(headers.get("cache-control")).toBe("public, max-age=59");
    vi.setSystemTime(expires * 1_000 - 1);
    expect((await get(link)).headers.get("cache-control")).toBe("public, max-age=0");
    vi.setSystemTime(expires * 1_000);
    for (const tag of ["", headers.get("etag") ?? "", "*"])
      await expectNotFound(await get(link, { "if-none-match": tag }));
  });

  it("is not found once its key is withdrawn or has another secret, however often it was answered before", async () => {
    const link = linkTo(CARD);
    const otherSecret = `${KEY.id}:${"x".repeat(32)}`;
    for (const keys of [`${OTHER_KEY.id}:${OTHER_KEY.secret}`, otherSecret]) {
      vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS);
      for (let i = 0; i < 2; i++) expect((await get(link)).status).toBe(200);
      vi.stubEnv("SERVICE_LINK_KEYS", keys);
      await expectNotFound(await get(link));
    }
    vi.stubEnv("SERVICE_LINK_KEYS", `${otherSecret.replace(KEY.id, "new")},${LINK_KEYS}`);
    expect((await get(link)).status).toBe(200);
  });

  it("is kept for no longer than until it expires, also when it took long to draw", async () => {
    const expires = Math.floor(NOW / 1_000) + 60;
    const render = vi.spyOn(rendering.get(), "render");
    render.mockImplementationOnce(async (...args) => {
      vi.setSystemTime(expires * 1_000 - 5_000);
      return await rendering.get().render(...args);
    });
    const link = linkTo({ ...CARD, data: { title: "Slow" }, expires });
    expect((await get(link)).headers.get("cache-control")).toBe("public, max-age=5");
    render.mockRestore();
  });

  it("is answered 304 to a client that has the picture, and HEAD without it", async () => {
    const link = linkTo(CARD);
    const first = await get(link);
    const etag = first.headers.get("etag") ?? "";
    const render = vi.spyOn(rendering.get().pictures, "get");
    for (const tags of [etag, `"other", W/${etag}`]) {
      const response = await get(link, { "if-none-match": tags });
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    }
    expect(render).not.toHaveBeenCalled();
    expect((await get(link, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await get(link, { "if-none-match": "*" })).status).toBe(304);
    const head = await send("HEAD", link);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
  });

  it("has a tag of its bytes where the picture has no key", async () => {
    // As for an image from another server, which may change.
    vi.stubEnv("NODE_ENV", "development");
    expect((await renderTemplate(CARD)).etag).toBeUndefined();
    const link = linkTo(CARD);
    const { headers } = await get(link);
    expect(headers.get("etag")).toMatch(/^"[\w-]{43}"$/);
    expect((await get(link, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  });

  it("is refused by every other method, without a look at it", async () => {
    for (const method of METHODS.filter((name) => !["GET", "HEAD"].includes(name))) {
      const response = await send(method, linkTo(CARD));
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      expect((await errorOf(response)).code).toBe("method_not_allowed");
    }
  });

  it("is not found where no key is set, and 503 where the keys are faulty", async () => {
    vi.stubEnv("SERVICE_LINK_KEYS", "");
    for (const method of METHODS) expect((await send(method, linkTo(CARD))).status).toBe(404);
    vi.stubEnv("SERVICE_LINK_KEYS", "web:short");
    expect((await errorOf(await get(linkTo(CARD)))).code).toBe("misconfigured");
  });

  it("is no longer found once its key is taken out, nor with another secret", async () => {
    vi.stubEnv("SERVICE_LINK_KEYS", `${OTHER_KEY.id}:${OTHER_KEY.secret}`);
    await expectNotFound(await get(linkTo(CARD)));
    vi.stubEnv("SERVICE_LINK_KEYS", `${KEY.id}:${KEY.secret}x`);
    await expectNotFound(await get(linkTo(CARD)));
  });
});

describe("a signed link that cannot be drawn", () => {
  it.each<[string, Record<string, unknown>, ErrorCode]>([
    ["an unknown key", { ...CARD, width: 1 }, "invalid_request"],
    ["no template", { data: {} }, "invalid_request"],
    ["an empty variant", { ...CARD, variant: "" }, "invalid_request"],
    ["an expiry that is no number", { ...CARD, expires: "4102444800" }, "invalid_request"],
    ["a character that is not allowed", { ...CARD, data: { title: "\0" } }, "invalid_request"],
    ["an unknown template", { template: "no/such", fallback: "spare" }, "unknown_template"],
    ["an unknown variant", { ...CARD, variant: "none" }, "unknown_variant"],
    ["an unknown field", { ...CARD, data: { titel: "x" } }, "invalid_data"],
    ["a fallback that is no variant", { ...CARD, data: { titel: "x" }, fallback: "none" }, "unknown_variant"],
  ])("for %s is answered with an error that no cache keeps", async (_name, payload, code) => {
    for (const tag of ["", "*"]) {
      const response = await get(linkTo(payload as typeof CARD), { "if-none-match": tag });
      expect((await errorOf(response)).code).toBe(code);
    }
  });

  it("shows its fallback as it is, which no cache keeps", async () => {
    const { png } = await renderTemplate({ template: "small/card", variant: "spare" });
    for (const wrong of [{ data: { titel: "x" } }, { variant: "none" }]) {
      const link = linkTo({ ...CARD, ...wrong, fallback: "spare" });
      for (const tag of ["", "*"]) {
        const response = await get(link, { "if-none-match": tag });
        expect((await pictureOf(response, "no-store")).equals(png)).toBe(true);
        expect(response.headers.has("etag")).toBe(false);
      }
    }
  });
});

it("a link whose image cannot be fetched now is answered with a picture that no cache keeps, and later with the whole one", async () => {
  let status = 503;
  const server = await serve(async (_, response) => {
    response.statusCode = status;
    response.end(await picture(20, 20, "#f00").png().toBuffer());
  });
  const origin = `http://localhost:${server.port}`;
  vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", origin);
  const root = templatesRoot();
  writeTemplate(root, "small/photo", {
    "template.json": manifestWith({ photo: { type: "image", label: "Photo", onError: "placeholder" } }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": '{% if photo %}<img src="{{ photo }}" data-image="photo" alt="">{% endif %}\n',
    "style.css": "img { width: 20px; height: 20px; }\n",
  });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  const link = linkTo({ template: "small/photo", data: { photo: `${origin}/a.png` } });
  const makeshift = await get(link);
  const without = await pictureOf(makeshift, "no-store");
  expect(makeshift.headers.has("etag")).toBe(false);
  status = 200;
  const whole = await get(link);
  expect((await pictureOf(whole)).equals(without)).toBe(false);
  expect(whole.headers.has("etag")).toBe(true);
});

it("a link leaves the id of its key, its template or its fault in the log, and neither secret nor content", async () => {
  const lines = captureLog();
  await get(linkTo({ ...CARD, data: { title: "Private words" } }));
  await get(linkTo({ ...CARD, expires: 1 }));
  await get(linkTo(CARD).replace("/web/", "/mail/"));
  const facts = lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId);
  expect(facts).toMatchObject([
    { status: 200, linkKey: "web", template: "small/card", source: "drawn" },
    { status: 404, linkKey: "web", link: "expired" },
    { status: 404, link: "wrong signature" },
  ]);
  for (const secret of [KEY.secret, OTHER_KEY.secret, "Private words", base64url("Private words").slice(0, -2)])
    expect(lines.join("")).not.toContain(secret);
});
