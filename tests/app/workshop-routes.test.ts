import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { collectGarbage } from "#tests/garbage.ts";
import { templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";
import { GET as getChanges } from "../../app/api/workshop/changes/route.dev.ts";
import { GET, POST } from "../../app/api/workshop/files/[...slug]/route.dev.ts";
import { GET as getNotices } from "../../app/api/workshop/notices/[...slug]/route.dev.ts";
import { GET as getCounts } from "../../app/api/workshop/notices/route.dev.ts";

const ORIGIN = "http://localhost:3000";
const LOCAL = { host: "localhost:3000", "x-platen-peer": "::ffff:127.0.0.1" };
const PAGE = { ...LOCAL, origin: ORIGIN, "content-type": "application/json" };

let root: string;

beforeEach(() => {
  root = templatesRoot();
  writeTemplate(root, "card");
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  vi.stubEnv("NODE_ENV", "development");
});

afterEach(() => void vi.unstubAllEnvs());

const context = { params: Promise.resolve({ slug: ["card"] }) };

async function read(headers: Record<string, string>) {
  const response = await GET(new Request(`${ORIGIN}/api/workshop/files/card`, { headers }), context);
  return { status: response.status, body: await response.json() };
}

async function save(body: object, headers: Record<string, string> = PAGE) {
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await POST(new Request(`${ORIGIN}/api/workshop/files/card`, init), context);
  return { status: response.status, body: await response.json() };
}

async function styleSheet() {
  const { body } = await read(LOCAL);
  return body.files.find(({ name }: { name: string }) => name === "style.css");
}

describe("the files of a template", () => {
  test("are written for a page of this machine, which is told the faults", async () => {
    const style = await styleSheet();
    const { status, body } = await save({ ...style, text: "h1 {\n  background: url(http://example.com/x.png);\n}\n" });
    expect([status, body.status]).toEqual([200, "saved"]);
    expect(body.faults).toMatchObject([
      { place: "card/style.css:2", source: "background: url(http://example.com/x.png);" },
    ]);
    expect(readFileSync(join(root, "card/style.css"), "utf8")).toContain("example.com");
  });

  test.each([
    ["another machine", { ...LOCAL, "x-platen-peer": "192.0.2.7" }, 403],
    ["a proxy", { ...LOCAL, "x-platen-peer": "proxy" }, 403],
    ["a server that does not tell", { host: LOCAL.host }, 403],
    ["a name that a foreign site can take", { ...LOCAL, host: "example.com" }, 421],
  ])("are not read through %s", async (_, headers, status) => {
    expect((await read(headers)).status).toBe(status);
  });

  test.each([
    ["another site", { ...PAGE, origin: "http://example.com" }],
    ["another port", { ...PAGE, origin: "http://localhost:3001" }],
    ["a program without an origin", { ...LOCAL, "content-type": "application/json" }],
  ])("are not written for %s", async (_, headers) => {
    const style = await styleSheet();
    expect((await save({ ...style, text: "x" }, headers)).body.error.code).toBe("origin_mismatch");
    expect(readFileSync(join(root, "card/style.css"), "utf8")).toBe(style.text);
  });

  test("need an administrator where there are accounts", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    expect((await read(LOCAL)).status).toBe(401);
  });
});

describe.each([
  [
    "the notices of a template",
    (headers: Record<string, string>) =>
      getNotices(new Request(`${ORIGIN}/api/workshop/notices/card`, { headers }), context),
  ],
  [
    "the notices of all templates",
    (headers: Record<string, string>) =>
      getCounts(new Request(`${ORIGIN}/api/workshop/notices`, { headers }), { params: Promise.resolve({}) }),
  ],
])("%s", (_, notices) => {
  test.each([
    ["another machine", { ...LOCAL, "x-platen-peer": "192.0.2.7" }, 403],
    ["a server that does not tell", { host: LOCAL.host }, 403],
    ["a name that a foreign site can take", { ...LOCAL, host: "example.com" }, 421],
  ])("are not found for %s", async (__, headers, status) => {
    expect((await notices(headers)).status).toBe(status);
  });

  test("need an administrator where there are accounts", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    expect((await notices(LOCAL)).status).toBe(401);
  });
});

function follow(signal: AbortSignal) {
  return getChanges(new Request(`${ORIGIN}/api/workshop/changes`, { headers: LOCAL, signal }), {
    params: Promise.resolve({}),
  });
}

test("changes of files are told to pages that wait for them, until they leave", async () => {
  const leaving = new AbortController();
  const response = await follow(leaving.signal);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);
  const first = await next();
  expect(first).toMatch(/^data: ".*"\n\n$/);
  // Other machines may read this.
  expect(first).not.toContain(root);
  writeTemplate(root, "second");
  expect(await next()).not.toBe(first);
  await collectGarbage();
  leaving.abort();
  expect((await reader?.read())?.done).toBe(true);
});

test("a page that leaves may cancel its response before its request ends", async () => {
  const leaving = new AbortController();
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.prependListener("uncaughtException", note);
  onTestFinished(() => void process.off("uncaughtException", note));
  await (await follow(leaving.signal)).body?.cancel();
  leaving.abort();
  // An error of the listener would arrive in the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([]);
});
