import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { SAMPLES } from "#lib/fonts/scripts.ts";
import { rendering, warmUp } from "#lib/render/render.ts";
import { STATUS_CHECKS } from "#lib/schemas/status-report.ts";
import { errorOf } from "../../http/requests.ts";
import { useRendering } from "../../render/rendering.ts";
import { eventually } from "../../render/rig.ts";
import { templatesRoot, writeTemplate } from "../../templates/template-folder.ts";
import { send } from "../client.ts";
import { factOf, report, row } from "./status.ts";

const { dataDir } = useRendering({ SERVICE_RENDER_CACHE_MB: "64" });

describe("the status of a healthy service", () => {
  it("reports every check, and no error", async () => {
    await send("POST", "images/render", { json: { template: "social/quote" } });
    const { state, checks, scripts } = await report();
    expect(checks.map(({ id }) => id)).toEqual(STATUS_CHECKS);
    expect(checks.filter((check) => check.state === "error")).toEqual([]);
    // As root there is no sandbox, and the machine may be full.
    expect(["ok", "warning"]).toContain(state);
    expect(scripts.map(({ name }) => name)).toEqual(SAMPLES.map(({ name }) => name));
    expect(scripts.filter(({ isCovered }) => !isCovered)).toEqual([]);
  });

  it("names the browser, its renders, and its last test picture", async () => {
    await eventually(() => rendering.get().state.browsers.length === 1);
    const browser = await row("browser");
    expect(browser.summary).toMatch(/^\w*Chrome\w* \d+\.[\d.]+ renders\.$/);
    expect(factOf(browser, "Pictures by")).toContain("frames on demand");
    const probe = await row("canary");
    expect(factOf(probe, "It took")).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(String(factOf(probe, "Last test picture")))).toBeLessThan(60_000);
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

  it("names the hosts that open mode answers to, and what a foreign one gets", async () => {
    vi.stubEnv("SERVICE_HOSTS", "cards.example.com");
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://platen.example.com");
    const own = await row("origin");
    expect(factOf(own, "Names answered (SERVICE_HOSTS)")).toBe("platen.example.com, cards.example.com");
    expect([own.state, factOf(own, "Any other name gets")]).toEqual(["ok", "421 misdirected_request"]);
    const host = "evil.example";
    expect((await send("GET", "status", { headers: { host } })).status).toBe(421);
    vi.stubEnv("SERVICE_HOSTS", "*");
    const any = await row("origin", { headers: { host } });
    expect(any).toMatchObject({ state: "warning", remedy: expect.stringContaining("SERVICE_HOSTS") });
    expect([factOf(any, "Names answered (SERVICE_HOSTS)"), JSON.stringify(any).includes("evil")]).toEqual([
      "all",
      false,
    ]);
    vi.stubEnv("VERCEL", "1");
    expect((await row("origin")).state).toBe("ok");
  });

  it("reveals no path, no password and no name of a private network", async () => {
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "http://minio.internal:9000");
    vi.stubEnv("DATABASE_URL", "postgres://platen:sesame@db.internal/platen");
    vi.stubEnv("SERVICE_TEMPLATES_DIR", "/nowhere/at/all");
    const text = JSON.stringify(await report());
    for (const secret of [dataDir(), process.cwd(), "/nowhere", "sesame", "db.internal", "minio"])
      expect(text).not.toContain(secret);
  });
});

describe("the status turns red", () => {
  it("when variables cannot be used, and names each and what it wants", async () => {
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

  it("when no browser starts", async () => {
    vi.stubEnv("SERVICE_CHROMIUM_PATH", "/bin/false");
    rendering.get().readiness.markUnproven();
    expect(await row("canary")).toMatchObject({ state: "error", summary: expect.stringMatching(/^No picture can be/) });
    expect(await row("workers")).toMatchObject({ state: "error", remedy: expect.stringContaining("SERVICE_DATA_DIR") });
    const remedy = expect.stringContaining("SERVICE_CHROMIUM_PATH");
    expect(await row("browser")).toMatchObject({ state: "error", remedy });
    vi.stubEnv("SERVICE_CHROMIUM_PATH", "");
    await warmUp();
    expect((await row("canary")).state).toBe("ok");
  });

  it("when there is no template, or a faulty one", async () => {
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

  it("or yellow, when a variable has an unknown name, nothing is kept, or images come over plain http", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKRES", "2");
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "0");
    vi.stubEnv("SERVICE_IMAGE_HOSTS", "http://images.example.com,*.example.org");
    const { checks } = await report();
    const of = (id: string) => checks.find((check) => check.id === id);
    expect(of("configuration")).toMatchObject({
      state: "warning",
      remedy: "Rename or remove SERVICE_RENDER_WORKRES.",
      details: [{ value: expect.stringContaining("SERVICE_RENDER_WORKERS") }, { value: false }],
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
    await eventually(() => rendering.get().state.waiting >= 4);
    expect(await row("queue")).toMatchObject({
      state: "warning",
      remedy: expect.stringMatching(/SERVICE_RENDER_WORKERS.*SERVICE_RENDER_QUEUE/),
    });
    await Promise.all(asked);
    expect((await row("queue")).state).toBe("ok");
  });
});

describe("the scripts", () => {
  const get = (query = "", headers: Record<string, string> = {}) => send("GET", `status/scripts${query}`, { headers });

  it("are rendered once for each theme", async () => {
    const light = Buffer.from(await (await get()).arrayBuffer());
    // Four columns of cells of 400 × 150 pixels.
    const size = { width: 1_600, height: Math.ceil(SAMPLES.length / 4) * 150, format: "png" };
    expect(await sharp(light).metadata()).toMatchObject(size);
    const render = vi.spyOn(rendering.get(), "render");
    const again = await get("?theme=light");
    expect(Buffer.from(await again.arrayBuffer()).equals(light)).toBe(true);
    expect((await get("", { "if-none-match": again.headers.get("etag") ?? "" })).status).toBe(304);
    expect(render).not.toHaveBeenCalled();
    const dark = Buffer.from(await (await get("?theme=dark")).arrayBuffer());
    expect(await sharp(dark).metadata()).toMatchObject(size);
    const [corner] = await sharp(dark).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
    expect(corner).toBeLessThan(64);
  });

  it("have no other theme", async () => {
    expect((await errorOf(await get("?theme=blue"))).issues?.[0]?.path).toBe("/theme");
  });
});
