import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { staticFiles } from "#lib/http/server/static-files.ts";
import { compressStatic } from "#scripts/build/compress-static.ts";
import { exchangeRaw } from "../e2e/service.ts";
import { serveApplication } from "./server/served.ts";

const SCRIPT = "one(); ".repeat(500);
const SMALL = "two();";

let folder: string;
let ask: (target: string, ...headers: string[]) => ReturnType<typeof exchangeRaw>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "platen-static-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "chunks"));
  writeFileSync(join(folder, "chunks/one.js"), SCRIPT);
  writeFileSync(join(folder, "chunks/two.js"), SMALL);
  writeFileSync(join(folder, "chunks/notes.txt"), "not part of a page");
  await compressStatic(folder);
  const sendStatic = staticFiles(folder);
  const { server } = await serveApplication(async (request, response) => {
    if (!sendStatic(request, response)) response.writeHead(418).end();
  });
  const { port } = server.address() as AddressInfo;
  ask = (target, ...headers) => exchangeRaw(port, [`GET /_next/static/${target} HTTP/1.1`, ...headers].join("\n"));
});

it("files are sent while another build replaces them, and afterwards", async () => {
  rmSync(folder, { recursive: true });
  const answers = await Promise.all([ask("chunks/one.js"), ask("chunks/two.js?v=1")]);
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, SCRIPT],
    [200, SMALL],
  ]);
  expect((await ask("chunks/one.js", "Accept-Encoding: br")).headers.get("content-encoding")).toBe("br");
});

it("a small file has no compressed copy, and does not depend on the encoding", async () => {
  const { headers, body } = await ask("chunks/two.js", "Accept-Encoding: br");
  expect([headers.get("content-encoding"), headers.get("vary"), body]).toEqual([undefined, undefined, SMALL]);
});

it.each(["chunks/three.js", "chunks/one.js.br", "chunks/notes.txt", "chunks"])("%s is left to Next", async (target) => {
  expect((await ask(target)).status).toBe(418);
});

it("a client that has a file gets no other copy of it, whatever the form of its tag", async () => {
  const tag = (await ask("chunks/one.js")).headers.get("etag");
  const asked = ["If-None-Match: ", 'If-None-Match: "other", W/'].map((header) => ask("chunks/one.js", header + tag));
  expect((await Promise.all(asked)).map(({ status, body }) => [status, body])).toEqual([
    [304, ""],
    [304, ""],
  ]);
  expect((await ask("chunks/one.js", `If-None-Match: ${tag}`, "Accept-Encoding: br")).status).toBe(200);
});
