import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService({ SERVICE_AUTH_ENABLED: "false", SERVICE_RENDER_WORKERS: "1" });
});

afterAll(async () => {
  await service?.stop();
});

const INVALID_STATE = { "next-router-state-tree": "x" };

async function show(path: string, headers: Record<string, string>) {
  const response = await fetch(service.origin + path, { headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

it.each(["/status.rsc", "/nothing.rsc", "/.rsc", "/status.segments/_tree.segment.rsc", "/_global-error"])(
  "%s is not found, whatever the headers",
  async (path) => {
    for (const headers of [{}, INVALID_STATE, { "next-router-prefetch": "1" }, { rsc: "1", ...INVALID_STATE }]) {
      const { status, text } = await show(path, headers);
      expect([status, ErrorAnswer.parse(JSON.parse(text)).error.code]).toEqual([404, "not_found"]);
    }
  },
);

it.each<Record<string, string>>([
  INVALID_STATE,
  { "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
  { "next-url": "%zz", "next-hmr-refresh": "1", "next-action": "x" },
  { rsc: "2", ...INVALID_STATE },
  { "x-middleware-prefetch": "1" },
])("%o without `rsc` gives the ordinary page", async (headers) => {
  const html = "text/html; charset=utf-8";
  expect(await show("/docs/errors", headers)).toMatchObject({ status: 200, type: html });
  expect(await show("/nothing", headers)).toMatchObject({ status: 404, type: html });
});

it("a client whose state is invalid gets the whole data of a page, and no error is logged", async () => {
  const before = service.output().length;
  for (const state of ["x", "%zz", '["",{"__proto__":5}]', '["",{"a":'.repeat(1_500)]) {
    const { status, type, text } = await show("/docs/errors", { rsc: "1", "next-router-state-tree": state });
    expect([status, type, text.includes("What each code means")]).toEqual([200, "text/x-component", true]);
  }
  expect(service.output().slice(before)).not.toContain('"level":"error"');
});

it("a client with a valid state gets what this state lacks", async () => {
  const state = encodeURIComponent(JSON.stringify(["", {}, null, "metadata-only"]));
  const { status, type, text } = await show("/docs/errors", { rsc: "1", "next-router-state-tree": state });
  expect([status, type, text.includes("Errors and warnings")]).toEqual([200, "text/x-component", true]);
  expect(text).not.toContain("What each code means");
});
