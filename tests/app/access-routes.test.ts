import { globSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Handlers } from "#lib/http/methods.ts";
import { errorOf } from "../http/requests.ts";

/** The contract's table, below `/api/service`. */
const PATHS = [
  "login",
  "logout",
  "account",
  "account/password",
  "tokens",
  "tokens/[id]",
  "users",
  "users/[id]",
  "users/[id]/password",
  "users/[id]/tokens",
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

async function load(path: string): Promise<Handlers> {
  return (await import(join(process.cwd(), "app/api", path, "route.ts"))) as Handlers;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each([...PATHS.map((path) => `service/${path}`), "[[...path]]"])("%s", (path) => {
  it.each(METHODS)("answers %s with 404 in open mode", async (method) => {
    const handlers = await load(path);
    const request = new Request("http://localhost/", { method });
    const response = await handlers[method](request, { params: Promise.resolve({ id: "1" }) });
    expect((await errorOf(response)).code).toBe("not_found");
  });
});

describe.each(PATHS)("service/%s", (path) => {
  it("answers 503 where the access layer is asked for", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    const handlers = await load(`service/${path}`);
    for (const method of METHODS) {
      const response = await handlers[method](new Request("http://localhost/", { method }), {
        params: Promise.resolve({}),
      });
      expect((await errorOf(response)).code).toBe("misconfigured");
    }
  });
});

it("the table is complete: no other route answers for it", () => {
  const routes = globSync("app/api/service/{login,logout,account,tokens,users}/**/route.ts").map((file) =>
    file.replaceAll("\\", "/").slice("app/api/service/".length, -"/route.ts".length),
  );
  expect(routes.toSorted()).toEqual(PATHS.toSorted());
});
