import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
// Its metrics belong to the access layer, which these tests do not start.
import "#lib/db/database.ts";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { countUnder } from "#lib/http/server/request-metrics.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { COUNTED_PATHS } from "#lib/operations/paths.ts";
import { REPLACE_REASONS } from "#lib/render/queue/worker-supervisor.ts";
import { shutDown } from "#lib/render/render.ts";
import { send } from "./client.ts";

const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.strictObject({ summary: z.string() }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Alert) })) });
const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });

const alerts = Rules.parse(parse(readFileSync("deploy/prometheus/rules.yml", "utf8"))).groups.flatMap(
  ({ rules }) => rules,
);
const { panels } = Dashboard.parse(JSON.parse(readFileSync("deploy/grafana/platen.json", "utf8")));
const queries = [...alerts, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);

/** A browser is replaced once its successor has started, which takes as long as the machine lets it. */
const START_MS = 120_000;

/** Prometheus adds these to every series. */
const OF_SCRAPE = ["instance", "job"];

/** Every value that a label may have, for labels whose values are known. */
const VALUES: Record<string, readonly string[]> = {
  route: COUNTED_PATHS,
  code: Object.keys(STATUS_OF_CODE),
  outcome: [...Object.keys(STATUS_OF_CODE), "drawn", "shared", "cache", "store", "gone"],
  source: ["drawn", "shared", "cache", "store"],
  reason: REPLACE_REASONS,
  status: ["2xx", "3xx", "4xx", "5xx", "aborted"],
};

/** The labels of each series of a scrape. */
let labelsOf: Map<string, Set<string>>;

/** Reads what the names of samples and their labels are. */
function readSeries(text: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    series.set(name, new Set([...(series.get(name) ?? []), ...names]));
  }
  return series;
}

/** Makes a series of every metric: a picture with a warning, one that is refused, a browser that is replaced, and a request. */
async function useEverything(): Promise<void> {
  countUnder(COUNTED_PATHS);
  vi.stubEnv("SERVICE_RENDER_RECYCLE", "1");
  const json = (quote: string) => ({ template: "social/quote", data: { quote, highlight: "nowhere" } });
  for (const quote of ["Less is more.", "More is less."])
    expect((await send("POST", "images/render", { json: json(quote) })).status).toBe(200);
  expect((await send("POST", "images/render", { json: { template: "no/such" } })).status).toBe(422);
  const server = createHttpServer(async (_request, response) => void response.end("x")).listen(0, "127.0.0.1");
  await once(server, "listening");
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`);
  server.close();
  server.closeAllConnections();
}

const scrape = async () => (await send("GET", "/metrics")).text();

beforeAll(async () => {
  buildFonts();
  await useEverything();
  // On a very busy machine it may have been replaced for another reason before it was worn.
  const replaced = async () => (await scrape()).match(/^platen_browser_restarts_total.*/gm)?.join("\n");
  await vi.waitFor(async () => expect(await replaced()).toMatch(/ [1-9]\d*$/m), { timeout: START_MS });
  labelsOf = readSeries(await scrape());
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await shutDown();
});

/** The metrics of a query, each with the matchers in its braces. */
function metricsOf(query: string): { name: string; matchers: [label: string, value: string][] }[] {
  return [...query.matchAll(/\b((?:platen|process|nodejs)_\w+|up\b)(?:\{([^}]*)\})?/g)].map(
    ([, name = "", braces = ""]) => ({
      name,
      matchers: [...braces.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = "", value = ""]) => [label, value]),
    }),
  );
}

/** What is wrong with a query: a metric, a label or a value that no scrape has. */
function faultsOf(query: string): string[] {
  const metrics = metricsOf(query).filter(({ name }) => name !== "up");
  const unknown = metrics.filter(({ name }) => !labelsOf.has(name)).map(({ name }) => name);
  const labels = metrics.flatMap(({ name, matchers }) =>
    matchers.flatMap(([label, value]) => {
      if (OF_SCRAPE.includes(label)) return [];
      if (!labelsOf.get(name)?.has(label)) return [`${name}{${label}}`];
      const known = VALUES[label];
      return known ? value.split("|").filter((one) => !known.includes(one)) : [];
    }),
  );
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "));
  const has = (label: string) =>
    OF_SCRAPE.includes(label) || metrics.every(({ name }) => labelsOf.get(name)?.has(label));
  return [...unknown, ...labels, ...grouped.filter((label) => !has(label)).map((label) => `by (${label})`)];
}

describe("alerts and dashboard", () => {
  it("name only metrics, labels and values that a scrape has", () => {
    expect(queries.length).toBeGreaterThan(20);
    for (const query of queries) expect(metricsOf(query).length, query).toBeGreaterThan(0);
    expect(queries.map((query) => [query, faultsOf(query)]).filter(([, faults]) => faults?.length)).toEqual([]);
  });

  it("see the first error and the first replacement, because their counters begin at zero", async () => {
    const text = await scrape();
    for (const code of Object.keys(STATUS_OF_CODE)) expect(text).toContain(`platen_refusals_total{code="${code}"} `);
    for (const reason of REPLACE_REASONS) expect(text).toContain(`platen_browser_restarts_total{reason="${reason}"} `);
  });

  it("would be reported for a wrong metric, label or value", () => {
    expect(faultsOf("platen_render_queues > 1")).toEqual(["platen_render_queues"]);
    expect(faultsOf('platen_renders_total{result="drawn"}')).toEqual(["platen_renders_total{result}"]);
    expect(faultsOf('platen_refusals_total{code=~"overloaded|full"}')).toEqual(["full"]);
    expect(faultsOf("sum by (instance, route) (platen_renders_total)")).toEqual(["by (route)"]);
  });
});

it("docs/operations.md says what each alert means", () => {
  const headings = [...readFileSync("docs/operations.md", "utf8").matchAll(/^### (Platen\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(headings).toEqual(alerts.map(({ alert }) => alert));
});
