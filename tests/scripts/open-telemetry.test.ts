import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { renderConfig } from "#lib/config.ts";
import { checkDatabase } from "#lib/db/check-database.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { log } from "#lib/log.ts";
import { RenderTask } from "#lib/render/queue/render-task.ts";
import { stopTracing } from "#lib/tracing.ts";
import { startTracing } from "#scripts/start/open-telemetry.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";

useDatabase();

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER_SPAN = "00f067aa0ba902b7";

type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: unknown[] };
type Sent = {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: SentSpan[] }[] }[];
};

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector that keeps what it gets at `/v1/traces`. */
async function startCollector(): Promise<{ endpoint: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const endpoint = await listen(
    createServer(async (request, response) => {
      if (request.url === "/v1/traces") sent.push((await json(request)) as Sent);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    }),
  );
  return { endpoint, sent };
}

/** A server whose every request passes the stages of a render and asks the database. */
function startService(): Promise<string> {
  return listen(
    createHttpServer(async (_request, response) => {
      const task = new RenderTask({
        config: renderConfig(),
        caller: "",
        prepare: () => Promise.reject(new Error("unused")),
      });
      for (const stage of ["queue", "compose", "load", "capture", "encode"]) task.stamp(stage);
      await checkDatabase();
      log().info("working");
      response.end("done");
    }),
  );
}

/** Asks the service once, as a caller with a trace does, and sends all spans. */
async function askTraced(origin: string, flags = "01", trace = TRACE): Promise<void> {
  const headers = { traceparent: `00-${trace}-${CALLER_SPAN}-${flags}` };
  expect(await (await fetch(`${origin}/healthz?token=hidden`, { headers })).text()).toBe("done");
  // The span ends with the response, which the client may have read before.
  await new Promise(setImmediate);
  await stopTracing();
}

afterEach(async () => {
  await stopTracing();
  vi.unstubAllEnvs();
});

it("sends the spans of a request below the caller's, and its log lines name the trace", async () => {
  const { endpoint, sent } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_SERVICE_NAME", "cards");
  const lines = captureLog();
  startTracing();
  await askTraced(await startService());
  const [resource] = sent.flatMap(({ resourceSpans }) => resourceSpans);
  expect(resource?.resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "cards" } });
  const spans = sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const request = spans.find(({ parentSpanId }) => parentSpanId === CALLER_SPAN);
  expect(request?.name).toMatch(/^GET /);
  expect(request?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name);
  expect(below.toSorted()).toEqual(["SQL", "capture", "compose", "draw", "encode", "wait"]);
  for (const { traceId } of spans) expect(traceId).toBe(TRACE);
  expect(JSON.stringify(sent)).not.toContain("hidden");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: "working", traceId: TRACE }]);
});

it("sends nothing of a trace that its caller does not sample, or that OTEL_TRACES_SAMPLER leaves out", async () => {
  const { endpoint, sent } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  const origin = await startService();
  startTracing();
  await askTraced(origin, "00");
  vi.stubEnv("OTEL_TRACES_SAMPLER", "always_off");
  startTracing();
  await askTraced(origin);
  expect(sent).toEqual([]);
});

it("sends spans in batches of the size and after the delay that OTEL_BSP_* say, and reports a value that is none", async () => {
  const { endpoint, sent } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2");
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "soon");
  const lines = captureLog();
  startTracing();
  await askTraced(await startService());
  const sizes = sent.map(({ resourceSpans }) =>
    resourceSpans.reduce(
      (sum, { scopeSpans }) => sum + scopeSpans.reduce((all, { spans }) => all + spans.length, 0),
      0,
    ),
  );
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBe(2);
  expect(lines.join("")).toContain('OTEL_BSP_SCHEDULE_DELAY: got \\"soon\\", want');
});

it.each([
  ["parentbased_traceidratio", TRACE],
  // The standard sends every trace with so small an id.
  ["traceidratio", "0".repeat(31).concat("1")],
])("a caller cannot have more traces sent than the ratio of %s", async (sampler, trace) => {
  const { endpoint, sent } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_TRACES_SAMPLER", sampler);
  vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "0.000000001");
  const origin = await startService();
  startTracing();
  await askTraced(origin, "01", trace);
  expect(sent).toEqual([]);
  vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "1");
  startTracing();
  await askTraced(origin, "01", trace);
  const spans = sent.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans));
  expect(spans.flatMap((scope) => scope.spans).map(({ traceId }) => traceId)).toEqual(Array(7).fill(trace));
});

it("serves as usual while the collector is away, and logs that once", async () => {
  const gone = createServer();
  const endpoint = await listen(gone);
  gone.close();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "100");
  const lines = captureLog();
  startTracing();
  await askTraced(await startService());
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "warn");
  expect(warnings).toMatchObject([{ msg: expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT") }]);
});

it("says which samplers there are", () => {
  vi.stubEnv("OTEL_TRACES_SAMPLER", "sometimes");
  const lines = captureLog();
  startTracing();
  expect(lines.join("")).toContain("parentbased_traceidratio");
});

it("says that another protocol is not sent", () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
  const lines = captureLog();
  startTracing();
  expect(lines.join("")).toContain('OTEL_EXPORTER_OTLP_PROTOCOL: got \\"grpc\\", want');
});

it("names the caller's trace in the log also while no spans are sent", async () => {
  const lines = captureLog();
  await askTraced(await startService());
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: "working", traceId: TRACE }]);
});
