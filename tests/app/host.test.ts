import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATIONS } from "#lib/operations/all.ts";
import { errorOf } from "../http/requests.ts";
import { LINK_KEYS } from "../links/links.ts";
import { METHODS, type Method, ROUTES, send } from "./client.ts";

beforeEach(() => void vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS));
afterEach(() => vi.unstubAllEnvs());

const FOREIGN = { host: "evil.example", origin: "http://evil.example" };
const PROBES = ["/healthz", "/readyz"];

/** Routes with their parameters filled in. */
const PATHS = ROUTES.filter((route) => route !== "/api/[[...path]]").map((route) =>
  route.replace(/\/\[\[\.\.\.\w+\]\]/, "").replace(/\[(?:\.\.\.)?\w+\]/g, "x"),
);

const ACCESS_PATHS = OPERATIONS.filter(({ auth }) => auth.accessLayerOnly).map(({ path }) =>
  path.replace(/\{\w+\}/g, "x"),
);

const ask = (method: Method, path: string) => send(method, path, { headers: FOREIGN });

describe("in open mode, a foreign host", () => {
  it.each(PATHS)("gets 421 for every method, 404 on access routes, and an answer of probes: %s", async (path) => {
    for (const method of METHODS) {
      const response = await ask(method, path);
      if (PROBES.includes(path)) expect(response.status).not.toBe(421);
      else expect([method, response.status]).toEqual([method, ACCESS_PATHS.includes(path) ? 404 : 421]);
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
    }
  });

  it("is told which variable to set, and is not repeated", async () => {
    const response = await ask("GET", "templates");
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "misdirected_request", message: expect.stringContaining("SERVICE_HOSTS") });
    expect(JSON.stringify([error, [...response.headers]])).not.toContain("evil");
  });
});

describe("with the access layer on, a foreign host", () => {
  it("is refused for the metrics only", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    expect((await ask("GET", "/metrics")).status).toBe(421);
    expect((await ask("GET", "templates")).status).toBe(401);
    expect((await ask("GET", "/healthz")).status).toBe(200);
  });
});
