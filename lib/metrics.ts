import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";

type Held = { registry: Registry; isWatchingProcess: boolean };

const held = processState("metrics", (): Held => ({ registry: new Registry(), isWatchingProcess: false }));

type Description<Label extends string> = {
  /** With its unit last, as Prometheus has it: `platen_render_stage_seconds`. */
  name: `platen_${string}`;
  help: string;
  labels?: Label[];
};

/** Every copy of a module that declares a metric gets the same one. */
function once<Metric>(name: string, create: (registers: Registry[]) => Metric): Metric {
  const { registry } = held.get();
  return (registry.getSingleMetric(name) as Metric | undefined) ?? create([registry]);
}

/** A number that only grows. */
export function counter<Label extends string = never>(description: Description<Label>): Counter<Label> {
  const { name, help, labels = [] } = description;
  return once(name, (registers) => new Counter({ name, help, labelNames: labels, registers }));
}

/** A number that is looked up whenever somebody asks. */
export function gauge(description: Description<never> & { read: () => number }): Gauge {
  const { name, help, read } = description;
  const collect = function (this: Gauge) {
    this.set(read());
  };
  return once(name, (registers) => new Gauge({ name, help, registers, collect }));
}

/** How often something was how large. @param description.buckets are upper bounds, in the unit of the name */
export function histogram<Label extends string = never>(
  description: Description<Label> & { buckets: number[] },
): Histogram<Label> {
  const { name, help, labels = [], buckets } = description;
  return once(name, (registers) => new Histogram({ name, help, labelNames: labels, buckets, registers }));
}

/** From here on the process itself is watched too: its loop, its memory, its collector. A second call changes nothing. */
export function watchProcess(): void {
  const state = held.get();
  if (state.isWatchingProcess) return;
  state.isWatchingProcess = true;
  collectDefaultMetrics({ register: state.registry });
  const labels = { version: VERSION, node: process.version };
  const options = { name: "platen_build_info", help: "What runs, in its labels; always 1." };
  new Gauge({ ...options, labelNames: Object.keys(labels), registers: [state.registry] }).set(labels, 1);
}

/** One number of a metric: `part` tells the sum, the count and the buckets of a histogram apart. */
export type Reading = { labels: Record<string, string | number>; value: number; part: string | undefined };

/** What a metric of this process stands at; nothing where it was never declared. */
export async function readMetric(name: `platen_${string}`): Promise<Reading[]> {
  const metric = await held.get().registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).map((reading) => ({
    labels: reading.labels as Record<string, string | number>,
    value: reading.value,
    part: "metricName" in reading ? String(reading.metricName).slice(name.length + 1) : undefined,
  }));
}

/** Everything that is counted, in the text form of Prometheus, and the content type of that. */
export async function readMetrics(): Promise<{ text: string; contentType: string }> {
  watchProcess();
  const { registry } = held.get();
  return { text: await registry.metrics(), contentType: registry.contentType };
}
