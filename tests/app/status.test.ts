import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { closeDatabase } from "#lib/db/database.ts";
import { SCRIPTS } from "#lib/fonts/scripts.ts";
import { call } from "#lib/http/call.ts";
import { withExchange } from "#lib/http/exchange.ts";
import { shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { STATUS_CHECKS, StatusReport } from "#lib/schemas/status-report.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { GET } from "../../app/api/service/status/route.ts";
import { addUser, signIn } from "../access/people.ts";
import { emptyDatabase } from "../database.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { eventually, ownDataDir, prepareMachine, removeDir } from "../render/rig.ts";
import { templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { type Sent, send } from "./client.ts";

let dataDir: string;

beforeAll(async () => {
  await prepareMachine();
  await buildRegistry();
  dataDir = await ownDataDir();
});
beforeEach(async () => {
  vi.stubEnv("SERVICE_DATA_DIR", dataDir);
  vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
  await warmUp();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await shutDown();
  removeDir(dataDir);
});

async function report(sent: Sent = {}): Promise<z.output<typeof StatusReport>> {
  const response = await send("GET", "status", sent);
  expectSafeHeaders(response);
  expect(response.status).toBe(200);
  return StatusReport.parse(await response.json());
}

/** One row, after checking that it says what to do exactly where something is to be done. */
async function row(id: (typeof STATUS_CHECKS)[number], sent: Sent = {}) {
  const { checks } = await report(sent);
  for (const { state, remedy } of checks) expect(remedy === null).toBe(state === "ok");
  return checks.find((check) => check.id === id) ?? expect.fail(`no ${id}`);
}

const factOf = ({ details }: Awaited<ReturnType<typeof row>>, label: string) =>
  details.find((detail) => detail.label === label)?.value;

describe("the status of a service that is well", () => {
  it("tells of every part, and has no error", async () => {
    await send("POST", "images/render", { json: { template: "social/quote" } });
    const { state, checks, scripts } = await report();
    expect(checks.map(({ id }) => id)).toEqual(STATUS_CHECKS);
    expect(checks.filter((check) => check.state === "error")).toEqual([]);
    // As root there is no sandbox, and the machine may be full.
    expect(["ok", "warning"]).toContain(state);
    expect(scripts.map(({ name }) => name)).toEqual(SCRIPTS.map(({ name }) => name));
    expect(scripts.filter(({ isCovered }) => !isCovered)).toEqual([]);
  });

  it("names the browser, what it has drawn, and when it last drew to be looked at", async () => {
    await eventually(() => shared().pool?.state.workers.length === 1);
    const browser = await row("browser");
    expect(browser.summary).toMatch(/^\w*Chrome\w* \d+\.[\d.]+ draws\.$/);
    expect(factOf(browser, "Pictures by")).toContain("frames on demand");
    const canary = await row("canary");
    expect(factOf(canary, "It took")).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(String(factOf(canary, "Last test picture")))).toBeLessThan(60_000);
    const workers = await row("workers");
    expect(workers.details.filter(({ group }) => group === "Browser 1").map(({ label }) => label)).toEqual([
      "Serves for",
      "Renders",
      "Memory",
    ]);
  });

  it("counts what was answered from memory", async () => {
    const hits = async () => Number(factOf(await row("cache"), "Answered from memory"));
    const before = await hits();
    for (let count = 0; count < 2; count++)
      await send("POST", "images/render", { json: { template: "social/quote", data: { quote: "Twice." } } });
    expect(await hits()).toBe(before + 1);
  });

  it("gives away no path, no password and no name of a private network", async () => {
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "http://minio.internal:9000");
    vi.stubEnv("DATABASE_URL", "postgres://platen:sesame@db.internal/platen");
    vi.stubEnv("SERVICE_TEMPLATES_DIR", "/nowhere/at/all");
    const text = JSON.stringify(await report());
    for (const secret of [dataDir, process.cwd(), "/nowhere", "sesame", "db.internal", "minio"])
      expect(text).not.toContain(secret);
  });
});

describe("the status turns red", () => {
  it("where variables cannot be used, and names each and what it wants", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "perhaps");
    const configuration = await row("configuration");
    expect(configuration).toMatchObject({ state: "error", summary: "2 variables cannot be used." });
    expect(configuration.remedy).toContain("SERVICE_CHROMIUM_SANDBOX, SERVICE_RENDER_TIMEOUT_MS");
    expect(factOf(configuration, "SERVICE_CHROMIUM_SANDBOX")).toBe('want "auto", "on", "off"');
    expect(JSON.stringify(configuration)).not.toMatch(/soon|perhaps/);
    expect(await row("canary")).toMatchObject({ state: "error", summary: expect.stringContaining("SERVICE_RENDER_") });
    expect((await row("fonts")).state).toBe("ok");
  });

  it("where no browser starts", async () => {
    vi.stubEnv("SERVICE_CHROMIUM_PATH", "/bin/false");
    shared().lastSuccessAt = undefined;
    expect(await row("canary")).toMatchObject({ state: "error", summary: expect.stringMatching(/^No picture can be/) });
    expect(await row("workers")).toMatchObject({ state: "error", remedy: expect.stringContaining("SERVICE_DATA_DIR") });
    const remedy = expect.stringContaining("SERVICE_CHROMIUM_PATH");
    expect(await row("browser")).toMatchObject({ state: "error", remedy });
    vi.stubEnv("SERVICE_CHROMIUM_PATH", "");
    await warmUp();
    expect((await row("canary")).state).toBe("ok");
  });

  it("where there is no template, or a faulty one", async () => {
    vi.stubEnv("SERVICE_TEMPLATES_DIR", "/nowhere");
    expect(await row("templates")).toMatchObject({
      state: "error",
      summary: expect.stringContaining("SERVICE_TEMPLATES_DIR"),
    });
    const root = templatesRoot();
    writeTemplate(root, "good/card");
    writeTemplate(root, "bad/card", { "template.html": "<h1>{{ titel }}</h1>" });
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
    const templates = await row("templates");
    expect(templates).toMatchObject({ state: "warning", summary: "1 faulty template is not served." });
    expect(factOf(templates, "bad/card")).toMatch(/^template\.html:1: /);
    expect(JSON.stringify(templates)).not.toContain(root);
  });

  it("or yellow, where a variable has an unknown name, nothing is kept, or images come in plain text", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKRES", "2");
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "0");
    vi.stubEnv("SERVICE_IMAGE_HOSTS", "http://images.example.com,*.example.org");
    const { checks } = await report();
    const of = (id: string) => checks.find((check) => check.id === id);
    expect(of("configuration")).toMatchObject({
      state: "warning",
      remedy: "Rename or remove SERVICE_RENDER_WORKRES.",
      details: [{ value: expect.stringContaining("SERVICE_RENDER_WORKERS") }],
    });
    expect(of("cache")).toMatchObject({ state: "warning", remedy: expect.stringContaining("SERVICE_RENDER_CACHE_MB") });
    expect(of("outbound")).toMatchObject({ state: "warning", remedy: expect.stringContaining("SERVICE_IMAGE_HOSTS") });
    expect(of("outbound")?.details[0]?.value).toBe("http://images.example.com, https://*.example.org");
  });

  it("or yellow, while the queue is full", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "5");
    const asked = Array.from({ length: 6 }, (_, index) =>
      send("POST", "images/render", { json: { template: "social/quote", data: { quote: `Number ${index}` } } }),
    );
    await eventually(() => (shared().pool?.state.waiting ?? 0) >= 4);
    expect(await row("queue")).toMatchObject({
      state: "warning",
      remedy: expect.stringMatching(/SERVICE_RENDER_WORKERS.*SERVICE_RENDER_QUEUE/),
    });
    await Promise.all(asked);
    expect((await row("queue")).state).toBe("ok");
  });
});

describe("with the access layer on", () => {
  let session: string;

  beforeEach(async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    await emptyDatabase();
    session = (await signIn(await addUser("admin", "admin"))).secret;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await closeDatabase();
  });

  const origin = (headers: Sent["headers"] = {}) => row("origin", { session, headers });

  it("it says how the database answers, and names hosts of a private network to administrators", async () => {
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "http://minio.internal:9000");
    const database = await row("database", { session });
    expect(factOf(database, "Latency")).toBeGreaterThan(0);
    expect(factOf(database, "Version")).toMatch(/^\d+/);
    expect(JSON.stringify(await row("outbound", { session }))).toContain("http://minio.internal:9000");
  });

  it("it accepts what browsers keep cookies for", async () => {
    expect((await origin()).state).toBe("ok");
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    const proxied = { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "https" };
    const trusted = await origin(proxied);
    expect([trusted.state, factOf(trusted, "This request came over")]).toEqual(["ok", "https"]);
    vi.stubEnv("SERVICE_TRUST_PROXY", "");
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://platen.example.com");
    const named = await origin(proxied);
    expect(named).toMatchObject({ state: "ok", summary: expect.stringContaining("https://platen.example.com") });
    expect(factOf(named, "This request asked by the configured name")).toBe(true);
    expect(factOf(await origin(), "This request asked by the configured name")).toBe(false);
  });

  it.each([
    ["plain http", {}, { host: "platen.example.com" }, /plain http/],
    [
      "a trusted proxy over plain http",
      { SERVICE_TRUST_PROXY: "true" },
      { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "http" },
      /plain http/,
    ],
    ["a trusted proxy that says nothing", { SERVICE_TRUST_PROXY: "true" }, {}, /X-Forwarded-Host is missing/],
    [
      "a proxy that is not trusted",
      {},
      { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "https" },
      /X-Forwarded-Proto says otherwise than Host/,
    ],
    ["a public origin of plain http", { SERVICE_PUBLIC_ORIGIN: "http://platen.example.com" }, {}, /plain http/],
  ] as [string, Record<string, string>, Record<string, string>, RegExp][])(
    "it is red for %s",
    async (_what, env, headers, summary) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      expect(await origin(headers)).toMatchObject({
        state: "error",
        summary: expect.stringMatching(summary),
        remedy: expect.stringMatching(/SERVICE_PUBLIC_ORIGIN.*SERVICE_TRUST_PROXY/),
      });
    },
  );

  it("it is yellow for a proxy that is not trusted and only hides addresses", async () => {
    expect((await origin({ "x-forwarded-for": "192.0.2.1" })).state).toBe("warning");
  });

  it("it is judged by how a page was asked for, whatever was filled in on the way", async () => {
    const headers = new Headers({ host: "platen.example.com", cookie: `service_session=${session}` });
    const page = { requestId: "01TESTS", method: "GET", arrival: { headers, encrypted: false } };
    const filled = new Headers([...headers, ["x-forwarded-proto", "https"]]);
    const { checks } = await withExchange(page, () => call(GET, { returns: StatusReport, headers: filled }));
    const found = checks.find(({ id }) => id === "origin");
    expect(found).toMatchObject({ state: "error", summary: expect.stringContaining("plain http") });
    expect(found && factOf(found, "Through a proxy")).toBe(false);
  });

  it("is for administrators alone", async () => {
    const user = await signIn(await addUser("user"));
    for (const path of ["status", "status/scripts", "status/scripts?theme=none"]) {
      expect((await errorOf(await send("GET", path, { session: user.secret }))).code).toBe("forbidden");
      expect((await errorOf(await send("GET", path))).code).toBe("unauthorized");
    }
  });
});

describe("the scripts", () => {
  const get = (query = "", headers: Record<string, string> = {}) => send("GET", `status/scripts${query}`, { headers });

  it("are drawn once, light and dark", async () => {
    const light = Buffer.from(await (await get()).arrayBuffer());
    const size = { width: 1_600, height: 1_050, format: "png" };
    expect(await sharp(light).metadata()).toMatchObject(size);
    const render = vi.spyOn(shared().pool ?? expect.fail("no pool"), "render");
    const again = await get("?theme=light");
    expect(Buffer.from(await again.arrayBuffer()).equals(light)).toBe(true);
    expect((await get("", { "if-none-match": again.headers.get("etag") ?? "" })).status).toBe(304);
    expect(render).not.toHaveBeenCalled();
    const dark = Buffer.from(await (await get("?theme=dark")).arrayBuffer());
    expect(await sharp(dark).metadata()).toMatchObject(size);
    const [corner] = await sharp(dark).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
    expect(corner).toBeLessThan(64);
  });

  it("come in no other theme", async () => {
    expect((await errorOf(await get("?theme=blue"))).issues?.[0]?.path).toBe("/theme");
  });
});
