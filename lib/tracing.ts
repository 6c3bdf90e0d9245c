import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "#lib/process-state.ts";

export type Attributes = Record<string, string | number | boolean>;

/** A part of the work on a request, for a collector of traces. Times are those of `performance.now()`. */
export type Span = {
  readonly traceId: string;
  child(name: string, options?: { startedAt?: number; attributes?: Attributes }): Span;
  end(result?: { endedAt?: number; attributes?: Attributes; error?: unknown }): void;
};

/** The caller's span, as the header `traceparent` names it. */
export type TraceParent = { traceId: string; spanId: string; traceFlags: number };

export type RequestSpanOptions = { parent: TraceParent | undefined; attributes: Attributes };

/** What records spans. Absent while tracing is off, so that nothing of it is loaded. */
export type Tracer = {
  startRequest(name: string, options: RequestSpanOptions): Span;
  /** Sends what is left, for two seconds at most. Never throws. */
  stop(): Promise<void>;
};

type Current = { traceId: string; span?: Span };

type TracingState = { tracer: Tracer | undefined; current: AsyncLocalStorage<Current> };

const tracing = processState(
  "tracing",
  (): TracingState => ({ tracer: undefined, current: new AsyncLocalStorage<Current>() }),
);

export function switchTracingOn(tracer: Tracer): void {
  tracing.get().tracer = tracer;
}

/** Sends what is left, and switches tracing off. Never throws. */
export async function stopTracing(): Promise<void> {
  const { tracer } = tracing.get();
  tracing.get().tracer = undefined;
  await tracer?.stop();
}

/** Starts the span of a request. Undefined while tracing is off. */
export function startRequestSpan(name: string, options: RequestSpanOptions): Span | undefined {
  return tracing.get().tracer?.startRequest(name, options);
}

/** Runs the handling of a request so that its log lines and spans belong to a trace. */
export function runInTrace<T>(current: Current, act: () => T): T {
  return tracing.get().current.run(current, act);
}

/** The trace of the running request: its caller's, or its own while tracing is on. */
export function currentTraceId(): string | undefined {
  return tracing.get().current.getStore()?.traceId;
}

export function currentSpan(): Span | undefined {
  return tracing.get().current.getStore()?.span;
}

/** Runs `act` in a span of its own while the request is traced. */
export async function inSpan<T>(name: string, attributes: Attributes, act: () => Promise<T>): Promise<T> {
  const span = currentSpan()?.child(name, { attributes });
  if (!span) return await act();
  try {
    const result = await runInTrace({ traceId: span.traceId, span }, act);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}
