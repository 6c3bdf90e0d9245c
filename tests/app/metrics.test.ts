import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { VERSION } from "#lib/config.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { countUnder, routeOf } from "#lib/http/server/request-metrics.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { COUNTED_PATHS } from "#lib/operations/paths.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { browserPid, eventually } from "../render/rig.ts";
import { METHODS, ROUTES, send } from "./client.ts";

beforeAll(() => void buildFonts());
beforeEach(() => {
  rendering.get().pictures.clear();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => shutDown());

async function scrape(): Promise<string> {
  return await (await send("GET", "/metrics")).text();
}

/** The value of a series, named as in the text; 0 when it is missing. */
async function readValue(series: string): Promise<number> {
  const line = (await scrape()).split("\n").find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** How much each series grows during `act`. */
async function growthOf(series: string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(series.map(readValue));
  await act();
  const after = await Promise.all(series.map(readValue));
  return after.map((value, index) => value - (before[index] ?? 0));
}

const draw = (json: unknown) => send("POST", "images/render", { json });

const QUOTE = { template: "social/quote", data: { quote: "Less is more.", highlight: "nowhere" } };
const outcome = (name: string, template = "social/quote") =>
  `platen_renders_total{template="${template}",outcome="${name}"}`;

describe("the metrics", () => {
  it("are answered to anyone in the text form of Prometheus, with the headers of every answer", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    const response = await send("GET", "/metrics");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const text = await response.text();
    expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
    for (const line of text.split("\n").filter((other) => other !== ""))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[^}]*\})? (?:[\d.e+-]+|NaN|Nan|\+Inf))$/);
    expect(text).toContain(`platen_build_info{version="${VERSION}",node="${process.version}"} 1`);
    expect(text).toContain("nodejs_eventloop_lag_seconds ");
    expect(text).toContain("process_resident_memory_bytes ");
  });

  it("have names as promtool wants them: counters end in _total, and nothing else does", async () => {
    const types = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter(([, name = "", type]) => name.endsWith("_total") !== (type === "counter"))).toEqual([]);
    expect(
      types.filter(([, name = ""]) => /_(?:ms|milliseconds|kb|mb|gauge|counter|count|sum|bucket)$/.test(name)),
    ).toEqual([]);
  });

  it("are answered in open mode beside the DATABASE_URL of another program", async () => {
    vi.stubEnv("DATABASE_URL", "mysql://127.0.0.1/shop");
    expect(await readValue("platen_database_connections_limit")).toBe(0);
    expect(await scrape()).toContain("process_resident_memory_bytes ");
  });

  it("are 404 when they are switched off, whatever the method", async () => {
    vi.stubEnv("SERVICE_METRICS", "off");
    for (const method of METHODS) expect((await send(method, "/metrics")).status).toBe(404);
    vi.stubEnv("SERVICE_METRICS", "on");
    expect((await send("POST", "/metrics")).headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("renders are counted", () => {
  it("by template and source, with bytes and warnings", async () => {
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const series = ["drawn", "shared", "cache"].map((name) => outcome(name));
    const warned = 'platen_render_warnings_total{code="field_ignored"}';
    const bytes = 'platen_picture_bytes_total{source="cache"}';
    let length = 0;
    const growth = await growthOf([...series, warned, bytes, "platen_cache_pictures"], async () => {
      await Promise.all([draw(QUOTE), draw(QUOTE)]);
      length = (await (await draw(QUOTE)).arrayBuffer()).byteLength;
    });
    expect(growth).toEqual([1, 1, 1, 3, length, 1]);
    expect(await readValue("platen_cache_bytes")).toBeGreaterThan(length);
  });

  it("by stage", async () => {
    const stages = ["queue", "compose", "load", "capture", "encode"];
    const counts = stages.map((stage) => `platen_render_stage_seconds_count{stage="${stage}"}`);
    const whole = 'platen_render_duration_seconds_count{source="drawn"}';
    expect(await growthOf([...counts, whole], () => draw(QUOTE))).toEqual([1, 1, 1, 1, 1, 1]);
    const [seconds = 0] = await growthOf(['platen_render_stage_seconds_sum{stage="capture"}'], () => draw(QUOTE));
    expect(seconds).toBeGreaterThan(0.000_5);
    expect(seconds).toBeLessThan(10);
  });

  it("by error code, and all unknown templates as one", async () => {
    const series = [outcome("invalid_data"), outcome("unknown_template", "unknown"), outcome("unknown_variant")];
    const refusals = ["invalid_data", "unknown_template"].map((code) => `platen_refusals_total{code="${code}"}`);
    const growth = await growthOf([...series, ...refusals], async () => {
      await draw({ ...QUOTE, data: { quot: "x" } });
      for (const template of ["no/such", "no/other", "svc_secret"]) await draw({ template });
      await draw({ ...QUOTE, variant: "none" });
    });
    expect(growth).toEqual([1, 3, 1, 1, 3]);
    expect(await scrape()).not.toMatch(/no\/such|svc_secret|none/);
  });

  it("beside their limits, which follow the environment", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "7");
    const limits = ["platen_render_queue_limit", "platen_browsers_wanted", "platen_body_budget_bytes"];
    const [queue, browsers, bodies = 0] = await Promise.all(limits.map(readValue));
    expect([queue, browsers]).toEqual([7, 1]);
    expect(bodies).toBeGreaterThanOrEqual(32_000_000);
    vi.stubEnv("SERVICE_RENDER_QUEUE", "many");
    expect(await readValue("platen_render_queue_limit")).toBe(0);
  });

  it("while they wait and are rendered", async () => {
    const drawings = Array.from({ length: 6 }, (_, index) => draw({ ...QUOTE, data: { quote: `Number ${index}` } }));
    await eventually(() => rendering.get().state.waiting > 0);
    const text = await scrape();
    expect(text).toMatch(/^platen_render_queue [1-6]$/m);
    expect(text).toMatch(/^platen_renders_drawing [01]$/m);
    await Promise.all(drawings);
    expect(await readValue("platen_render_queue")).toBe(0);
  });
});

describe("browsers are watched", () => {
  it("in number, memory and age", async () => {
    await draw(QUOTE);
    expect(await readValue("platen_browsers")).toBe(1);
    expect(await readValue("platen_browsers_memory_bytes")).toBeGreaterThan(30_000_000);
    expect(await readValue("platen_browser_memory_max_bytes")).toBeGreaterThan(30_000_000);
    const age = await readValue("platen_browser_age_max_seconds");
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThan(120);
  });

  it("when one ends unasked, and when one has rendered enough", async () => {
    const ends = ["ended", "failed"].map((reason) => `platen_browser_restarts_total{reason="${reason}"}`);
    const worn = 'platen_browser_restarts_total{reason="renders"}';
    await draw(QUOTE);
    const growth = await growthOf(ends, async () => {
      const pid = browserPid();
      process.kill(pid, "SIGKILL");
      await eventually(() => rendering.get().pids[0] !== undefined && rendering.get().pids[0] !== pid);
    });
    // The reason depends on whether its page was blanked before.
    expect(growth.toSorted()).toEqual([0, 1]);
    vi.stubEnv("SERVICE_RENDER_RECYCLE", "1");
    const pid = browserPid();
    await draw(QUOTE);
    await draw({ ...QUOTE, data: { quote: "Another" } });
    await eventually(() => rendering.get().pids[0] !== undefined && rendering.get().pids[0] !== pid);
    expect(await readValue(worn)).toBeGreaterThanOrEqual(1);
  });
});

describe("requests are counted", () => {
  beforeAll(() => countUnder(COUNTED_PATHS));

  it("under a name for each route, and few others", () => {
    const names = ROUTES.map((route) =>
      routeOf(route.replace("[...link]", "a/b/c.png").replace(/\[+(?:\.\.\.)?\w+\]+/g, "a")),
    );
    expect(new Set(names).size).toBe(ROUTES.length);
    expect(names).not.toContain("page");
    expect(routeOf("/api/service/tokens/svc_secret?x=1")).toBe("/api/service/tokens/{id}");
    expect(routeOf("/api/anything/else")).toBe("/api/{other}");
    for (const path of ["/", "/templates/x", "/api", "", "*", "/etc/passwd"]) expect(routeOf(path)).toBe("page");
  });

  it("by method and class of status, also when no route answers", async () => {
    const server = createHttpServer(async (request, response) => {
      if (request.url === "/readyz") return void request.socket.destroy();
      response.statusCode = request.url === "/healthz" ? 200 : 404;
      response.end("x");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const of = (route: string, method: string, status: string) =>
      `platen_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
    const series = [
      of("/healthz", "GET", "2xx"),
      of("page", "GET", "4xx"),
      of("page", "POST", "4xx"),
      of("/api/{other}", "other", "4xx"),
      of("/readyz", "GET", "aborted"),
      'platen_http_request_duration_seconds_count{route="/healthz"}',
    ];
    const growth = await growthOf(series, async () => {
      await fetch(`${origin}/healthz`);
      await fetch(`${origin}/nothing/here`);
      await fetch(origin, { method: "POST" });
      await fetch(`${origin}/api/x`, { method: "PROPFIND" });
      await expect(fetch(`${origin}/readyz`)).rejects.toThrow();
    });
    server.close();
    server.closeAllConnections();
    expect(growth).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
