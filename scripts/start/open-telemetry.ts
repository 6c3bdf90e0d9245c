import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { VERSION } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import { type Span, switchTracingOn } from "#lib/tracing.ts";

/** How long a stop waits for the collector, in milliseconds. */
const LAST_SPANS_MS = 2_000;

/** A collector that is away is logged once in this time, in milliseconds. */
const COMPLAINT_MS = 600_000;

/** Decides by chance. The standard decides by the flag or by the id of a trace, and callers, who may be strangers, choose both. */
function byChance(ratio: number): Sampler {
  const decide = () => (Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD);
  return { shouldSample: () => ({ decision: decide() }), toString: () => `byChance{${ratio}}` };
}

/** Sends a part of the traces. Spans below a request's are sent if that one is. */
function partOf(
  ratio: number,
  ofCallers: (chance: Sampler) => Omit<ConstructorParameters<typeof ParentBasedSampler>[0], "root">,
): Sampler {
  return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio), ...ofCallers(byChance(ratio)) });
}

const SAMPLERS: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => partOf(ratio, (chance) => ({ remoteParentSampled: chance, remoteParentNotSampled: chance })),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => partOf(ratio, (chance) => ({ remoteParentSampled: chance })),
};

/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }: NodeJS.ProcessEnv): Sampler {
  const make = SAMPLERS[name || "parentbased_always_on"];
  const ratio = Number(arg || 1);
  if (make && ratio >= 0 && ratio <= 1) return make(ratio);
  const wanted = Object.keys(SAMPLERS).join(", ");
  log().warn(
    `OTEL_TRACES_SAMPLER: got "${name}" with the argument "${arg ?? ""}", want one of ${wanted}, and an argument from 0 to 1. Every trace is sent.`,
  );
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

/** The variables of the queue of spans, which the SDK does not read itself. */
const BATCHES = {
  OTEL_BSP_SCHEDULE_DELAY: "scheduledDelayMillis",
  OTEL_BSP_EXPORT_TIMEOUT: "exportTimeoutMillis",
  OTEL_BSP_MAX_QUEUE_SIZE: "maxQueueSize",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "maxExportBatchSize",
} as const;

/** The settings of the queue. One that is not usable counts as unset. */
function batchOptions(environment: NodeJS.ProcessEnv): Record<string, number> {
  const options: Record<string, number> = {};
  for (const [name, option] of Object.entries(BATCHES)) {
    const value = environment[name];
    if (value && /^[1-9]\d{0,8}$/.test(value)) options[option] = Number(value);
    else if (value) log().warn(`${name}: got "${value}", want a whole number above 0. Its default is used.`);
  }
  return options;
}

/** Warns of a protocol that another exporter would need: `http/protobuf` and `grpc` are not sent. */
function warnOfProtocol(environment: NodeJS.ProcessEnv): void {
  for (const name of ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
    const protocol = environment[name];
    if (protocol && protocol !== "http/json")
      log().warn(
        `${name}: got "${protocol}", want "http/json" or none. Traces are sent as http/json, usually to port 4318.`,
      );
  }
}

/** @returns what logs that spans are lost, which is nearly always that the collector does not answer */
function complainer(): (message: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (message) => {
    if (performance.now() - loggedAt < COMPLAINT_MS) return;
    loggedAt = performance.now();
    log().warn(
      { reason: message.slice(0, 300) },
      "Traces cannot be sent. Check OTEL_EXPORTER_OTLP_ENDPOINT and the collector. Requests are served as usual.",
    );
  };
}

/** Sends spans, and complains of those that could not be sent. */
function createExporter(complain: (message: string) => void): OTLPTraceExporter {
  const quiet = () => undefined;
  const logger = { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter();
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error) complain(result.error.message || result.error.name);
      done(result);
    });
  return exporter;
}

function spanOf(tracer: OtelTracer, span: OtelSpan, context: Context): Span {
  return {
    traceId: span.spanContext().traceId,
    child: (name, { startedAt, attributes = {} } = {}) => {
      const child = tracer.startSpan(
        name,
        { attributes, ...(startedAt !== undefined && { startTime: startedAt }) },
        context,
      );
      return spanOf(tracer, child, trace.setSpan(context, child));
    },
    end: ({ endedAt, attributes, error } = {}) => {
      if (attributes) span.setAttributes(attributes);
      // Messages of errors may quote what a client sent.
      if (error !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error)?.name ?? "Error" });
      span.end(endedAt);
    },
  };
}

/**
 * Sends spans of requests to the collector that the standard `OTEL_*` variables name, as OTLP over HTTP in JSON. Spans wait in a
 * bounded queue and are dropped when the collector is away. Nothing is registered globally, so that Next makes no spans.
 */
export function startTracing(environment = process.env): void {
  warnOfProtocol(environment);
  const provider = new TracerProvider({
    sampler: samplerOf(environment),
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "platen", "service.version": VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ ...batchOptions(environment), exporter: createExporter(complainer()) })],
  });
  const tracer = provider.getTracer("platen", VERSION);
  switchTracingOn({
    startRequest: (name, { parent, attributes }) => {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context);
      return spanOf(tracer, span, trace.setSpan(context, span));
    },
    stop: async () => {
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    },
  });
}
