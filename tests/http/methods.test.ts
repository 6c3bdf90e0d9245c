import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { anyone, signedIn } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { operation } from "#lib/http/route/operation.ts";
import { newRequestId, runInRequestContext } from "#lib/http/server/request-context.ts";
import { ask, errorOf, postRequest } from "./requests.ts";

const described = { path: "/count", operationId: "count", summary: "Count", tag: null };

const count = operation({
  ...described,
  method: "GET",
  auth: anyone,
  returns: z.object({ a: z.number() }),
  handle: () => ({ a: 1 }),
});

const add = operation({ ...described, method: "POST", auth: anyone, returns: z.object({}), handle: () => ({}) });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

describe("a route", () => {
  it("answers 405 with Allow for a method without an operation, OPTIONS included and without CORS", async () => {
    const route = methods(add);
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const response = await ask(route[method], new Request("http://localhost/", { method }));
      expect(response.headers.get("allow")).toBe("POST");
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      expect(await errorOf(response)).toMatchObject({
        code: "method_not_allowed",
        message: `Got the method ${method}, want POST.`,
      });
    }
    expect((await ask(route.POST, postRequest())).status).toBe(200);
  });

  it("names the method that the client sent, not the one that Next gets for it", async () => {
    const context = { requestId: newRequestId(), method: "PROPFIND" };
    const asked = new Request("http://localhost/", { method: "OPTIONS" });
    const response = await runInRequestContext(context, () => ask(methods(add).OPTIONS, asked));
    expect((await errorOf(response)).message).toBe("Got the method PROPFIND, want POST.");
  });

  it("allows HEAD wherever it allows GET", async () => {
    const response = await ask(methods(count, add).PATCH, new Request("http://localhost/", { method: "PATCH" }));
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("answers HEAD with the headers of GET and no body", async () => {
    const response = await ask(methods(count).HEAD, new Request("http://localhost/", { method: "HEAD" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("7");
    expect(await response.text()).toBe("");
  });

  const empty = { ...described, method: "GET", returns: z.object({}), handle: () => ({}) } as const;

  it.each([
    ["of the access layer in open mode", methods(operation({ ...empty, auth: signedIn }))],
    ["that is switched off", methods(operation({ ...empty, auth: anyone, isServed: () => false }))],
  ])("%s answers 404 to every method", async (_, route) => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    for (const method of METHODS) {
      const response = await ask(route[method], new Request("http://localhost/", { method }));
      expect(response.headers.has("allow")).toBe(false);
      expect((await errorOf(response)).code).toBe("not_found");
    }
    vi.unstubAllEnvs();
  });
});
