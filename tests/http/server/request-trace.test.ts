import { describe, expect, it } from "vitest";
import { readTraceParent } from "#lib/http/server/request-trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("the header traceparent", () => {
  it("names the caller's trace and span", () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
    expect(readTraceParent(`01-${TRACE}-${SPAN}-00-later`)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 0 });
  });

  it.each([
    ["nothing", undefined],
    ["an empty one", ""],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["more than version 00 has", `00-${TRACE}-${SPAN}-01-more`],
    ["the version ff", `ff-${TRACE}-${SPAN}-01`],
    ["two of them", `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])("is ignored when it is %s", (_what, header) => {
    expect(readTraceParent(header)).toBeUndefined();
  });
});
