import { afterEach, describe, expect, test, vi } from "vitest";
import type { RemoteImages } from "#lib/images/remote/fetch-image.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeColors } from "#lib/templates/compose-colors.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { bytesOf, dataUrl, picture } from "./files.ts";
import { host, NAME, remoteOf, serve } from "./remote-server.ts";

const image = (rest: object = {}) =>
  fieldDeclaration.parse({ type: "image", label: "Photo", focus: "center", ...rest });

function read(
  values: Record<string, unknown>,
  { remote, ...rest }: { remote?: RemoteImages; onError?: string; required?: boolean } = {},
) {
  const declarations = Object.fromEntries(Object.keys(values).map((name) => [name, image(rest)]));
  return readFields({ declarations, values, path: "/data", remote });
}

afterEach(() => vi.unstubAllEnvs());

describe("the address of an image", () => {
  test("is replaced by the image", async () => {
    const bytes = await picture(40, 30).png().toBuffer();
    const server = await serve((_, response) => response.end(bytes));
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    expect(await read({ photo: `http://${NAME}:${server.port}/a.png` }, { remote })).toEqual({
      values: { photo: dataUrl("png", bytes) },
      issues: [],
      warnings: [],
    });
  });

  test("is refused where no host is allowed", async () => {
    const { issues } = await read({ photo: "https://example.com/a.png" }, { remote: remoteOf([]) });
    expect(issues).toEqual([
      { path: "/data/photo", code: "image_rejected", message: expect.stringContaining("SERVICE_IMAGE_HOSTS") },
    ]);
  });

  test("is refused in a variant and as a default, because a template brings its own images", async () => {
    vi.stubEnv("SERVICE_IMAGE_HOSTS", "example.com");
    const root = templatesRoot();
    writeTemplate(root, "card", {
      "template.json": manifestWith({ photo: { type: "image", label: "Photo", default: "https://example.com/b.png" } }),
      "content.json": JSON.stringify({ plain: { photo: "https://example.com/a.png" } }),
      "template.html": '<img src="{{ photo }}" alt="">',
    });
    const { faults } = await compileRegistry(root);
    const faultIn = (file: string) =>
      expect.objectContaining({ file, reason: expect.stringContaining('want a "data:" URL') });
    expect(faults).toEqual([faultIn("template.json"), faultIn("content.json")]);
  });

  test("shares the pixel budget with embedded images", async () => {
    const large = await picture(7_000, 7_000).png().toBuffer();
    const server = await serve((_, response) => response.end(large));
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    const small = dataUrl("png", await picture(1_100, 1_000).png().toBuffer());
    const { issues } = await read({ fetched: `http://${NAME}:${server.port}/`, embedded: small }, { remote });
    expect(issues).toEqual([
      { path: "/data/embedded", code: "image_rejected", message: expect.stringContaining("50,100,000 pixels") },
    ]);
  });
});

test("the images of a request are fetched concurrently, and all faults are reported at once, in the order of the fields", async () => {
  const everyone = Promise.withResolvers<void>();
  const server = await serve(async (request, response) => {
    if (server.requests.length === 3) everyone.resolve();
    // No response is sent before all three requests have arrived.
    await everyone.promise;
    response.writeHead(request.url === "/c" ? 404 : 500).end();
  });
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const at = (path: string) => `http://${NAME}:${server.port}/${path}`;
  const { issues } = await read(
    { a: at("a"), b: "file:///etc/passwd", c: at("c"), d: at("d"), e: "http://127.0.0.1/" },
    { remote },
  );
  expect(issues.map(({ path, code, message }) => [path, code, message.slice(0, 54)])).toEqual([
    ["/data/a", "image_rejected", "The server of the image answered with status 500."],
    ["/data/b", "image_rejected", 'Got "file:///etc/passwd", want an address such as http'],
    ["/data/c", "image_rejected", "The server of the image answered with status 404."],
    ["/data/d", "image_rejected", "The server of the image answered with status 500."],
    ["/data/e", "image_rejected", "Got an image of http://127.0.0.1, which is not among t"],
  ]);
});

describe("a server that fails", () => {
  const failing = async () => {
    const server = await serve((request, response) => {
      if (request.url === "/page") response.end("<!doctype html>");
      else if (request.url === "/inward") response.writeHead(302, { Location: "http://127.0.0.1/" }).end();
      else response.writeHead(503).end();
    });
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    return { remote, at: (path: string) => `http://${NAME}:${server.port}/${path}` };
  };

  test.each(["gone", "page"])(
    "leaves an optional field with onError placeholder empty, with a warning: %s",
    async (path) => {
      const { remote, at } = await failing();
      expect(await read({ photo: at(path) }, { remote, onError: "placeholder" })).toEqual({
        values: { photo: null },
        issues: [],
        warnings: [
          { path: "/data/photo", code: "image_unavailable", message: expect.stringMatching(/status 503|not an image/) },
        ],
      });
    },
  );

  test("gives a required field with onError placeholder a grey image", async () => {
    const { remote, at } = await failing();
    const { values, issues, warnings } = await read(
      { photo: at("gone") },
      { remote, onError: "placeholder", required: true },
    );
    expect([issues, warnings.length]).toEqual([[], 1]);
    expect(bytesOf(String(values.photo)).toString()).toMatch(/^<svg [^>]*><rect [^>]*fill="#808080"[^>]*\/><\/svg>$/);
  });

  test.each([true, false])("leaves a colour field that draws from it its default; required: %s", async (required) => {
    const { remote, at } = await failing();
    const photo = image({ onError: "placeholder", colors: true, required });
    const color = { type: "color", label: "Accent", from: "photo.colors.accent", default: "#D92A1C" };
    const declarations = { photo, accent: fieldDeclaration.parse(color) };
    const { values } = await readFields({ declarations, values: { photo: at("gone") }, path: "/data", remote });
    expect(composeColors(declarations, values).accent).toBe("#d92a1c");
  });

  test("is treated the same when it sends half of an image", async () => {
    const whole = await picture(300, 300).jpeg().toBuffer();
    const server = await serve((_, response) => response.end(whole.subarray(0, whole.length / 2)));
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    const { values, warnings } = await read(
      { photo: `http://${NAME}:${server.port}/` },
      { remote, onError: "placeholder" },
    );
    expect([values.photo, warnings[0]?.code]).toEqual([null, "image_unavailable"]);
  });

  test.each(["inward", "//", "PASSWORD"])(
    "does not excuse a request for an address that is not allowed: %s",
    async (path) => {
      const { remote, at } = await failing();
      const address = path === "PASSWORD" ? at("").replace("://", "://a:b@") : at(path);
      const { issues, warnings } = await read(
        { photo: path === "//" ? "//host/a.png" : address },
        { remote, onError: "placeholder" },
      );
      expect([issues.map(({ code }) => code), warnings]).toEqual([["image_rejected"], []]);
    },
  );

  test("does not excuse a damaged embedded image", async () => {
    const { issues, warnings } = await read({ photo: "data:image/png;base64,AAAA" }, { onError: "placeholder" });
    expect([issues.map(({ code }) => code), warnings]).toEqual([["image_rejected"], []]);
  });
});

test("an abort ends the fetches of all fields", async () => {
  const gone = new AbortController();
  const server = await serve(() => {
    if (server.requests.length === 2) gone.abort(new Error("gone"));
  });
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const values = { a: `http://${NAME}:${server.port}/a`, b: `http://${NAME}:${server.port}/b` };
  const declarations = { a: image(), b: image() };
  await expect(readFields({ declarations, values, path: "/data", remote, signal: gone.signal })).rejects.toThrow(
    "gone",
  );
  await expect.poll(server.open).toBe(0);
});
