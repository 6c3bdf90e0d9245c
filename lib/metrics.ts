import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";

type MetricsState = { registry: Registry; isWatchingProcess: boolean };

const metricsState = processState(
  "metrics",
  (): MetricsState => ({ registry: new Registry(), isWatchingProcess: false }),
);

type Description<Label extends string> = {
  /** Ends with its unit, as is usual for Prometheus: `platen_render_stage_seconds`. */
  name: `platen_${string}`;
  help: string;
  labels?: Label[];
};

/** Returns the same metric to every copy of a module that declares it. */
function once<Metric>(name: string, create: (registers: Registry[]) => Metric): Metric {
  const { registry } = metricsState.get();
  return (registry.getSingleMetric(name) as Metric | undefined) ?? create([registry]);
}

/**
 * A number that only increases.
 * @param description.zeros series that begin at zero. Others begin with their first count, which Prometheus does not see as an increase
 */
export function counter<Label extends string = never>(
  description: Description<Label> & { zeros?: Record<Label, string>[] },
): Counter<Label> {
  const { name, help, labels = [], zeros = [] } = description;
  return once(name, (registers) => {
    const created = new Counter({ name, help, labelNames: labels, registers });
    for (const series of zeros) created.inc(series, 0);
    return created;
  });
}

/** A number that is read at each scrape. */
export function gauge(description: Description<never> & { read: () => number }): Gauge {
  const { name, help, read } = description;
  const collect = function (this: Gauge) {
    this.set(read());
  };
  return once(name, (registers) => new Gauge({ name, help, registers, collect }));
}

/** The distribution of a quantity. @param description.buckets upper bounds, in the unit of the name */
export function histogram<Label extends string = never>(
  description: Description<Label> & { buckets: number[] },
): Histogram<Label> {
  const { name, help, labels = [], buckets } = description;
  return once(name, (registers) => new Histogram({ name, help, labelNames: labels, buckets, registers }));
}

/** Gauges of prom-client with the name of a counter, which `promtool check metrics` refuses. They sum up those without `_total`. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Adds metrics of the process: event loop, memory, garbage collector and build. Later calls do nothing. */
export function watchProcess(): void {
  const state = metricsState.get();
  if (state.isWatchingProcess) return;
  state.isWatchingProcess = true;
  collectDefaultMetrics({ register: state.registry });
  for (const name of MISNAMED) state.registry.removeSingleMetric(name);
  const labels = { version: VERSION, node: process.version };
  const options = { name: "platen_build_info", help: "The running version and Node, as labels; always 1." };
  new Gauge({ ...options, labelNames: Object.keys(labels), registers: [state.registry] }).set(labels, 1);
}

/** One number of a metric. `part` is the sum, the count or the buckets of a histogram. */
export type Reading = { labels: Record<string, string | number>; value: number; part: string | undefined };

/** Reads a metric of this process. Empty for one that was never declared. */
export async function readMetric(name: `platen_${string}`): Promise<Reading[]> {
  const metric = await metricsState.get().registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).map((reading) => ({
    labels: reading.labels as Record<string, string | number>,
    value: reading.value,
    part: "metricName" in reading ? String(reading.metricName).slice(name.length + 1) : undefined,
  }));
}

/** Returns all metrics in the text format of Prometheus, with its content type. */
export async function readMetrics(): Promise<{ text: string; contentType: string }> {
  watchProcess();
  const { registry } = metricsState.get();
  return { text: await registry.metrics(), contentType: registry.contentType };
}
