import { beforeAll, describe, expect, it } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { PASSWORD } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { prepareTemplates } from "../templates/shipped.ts";
import { COLUMNS, ROWS } from "./access-table.ts";
import { pathWith, populate } from "./access-world.ts";
import { loadRoute, METHODS, ROUTES, send } from "./client.ts";

/** What a browser may keep for itself. */
const KEPT = ["thumbnails/slug", "status/scripts"];

const CODES: Record<number, string> = { 401: "unauthorized", 403: "forbidden", 404: "not_found" };

/** A right body for each request that has one. */
const BODIES: Record<string, unknown> = {
  "POST login": { email: "other@example.com", password: PASSWORD },
  "PATCH account": { name: "Changed" },
  "POST account/password": { currentPassword: PASSWORD, newPassword: "a new one, just as long" },
  "POST tokens": { name: "Deploys" },
  "POST users": { email: "new@example.com", name: "New", password: PASSWORD },
  "PATCH users/own": { name: "Changed" },
  "PATCH users/other": { name: "Changed" },
  "PATCH users/nobody": { name: "Changed" },
  "POST users/own/password": { password: PASSWORD },
  "POST users/other/password": { password: PASSWORD },
  "POST users/nobody/password": { password: PASSWORD },
};

let slug: string;

useDatabase();

beforeAll(async () => {
  slug = await prepareTemplates();
  BODIES["POST images/render"] = { template: slug };
  return () => shutDown();
});

describe.each(ROWS)("$name", ({ name, method, path, expected }) => {
  it("answers each as the table says", async () => {
    const world = await populate(slug);
    for (const column of COLUMNS) {
      const response = await send(method, pathWith(world, path), { ...world.columns.get(column), json: BODIES[name] });
      const status = expected.get(column) ?? 0;
      expect([column, response.status]).toEqual([column, status]);
      const isKept = status === 200 && KEPT.includes(path);
      expectSafeHeaders(response, isKept ? { cacheControl: "private, max-age=60, must-revalidate" } : {});
      expect(response.headers.get("www-authenticate")).toBe(
        status === 401 && path === "images/render" ? "Bearer" : null,
      );
      if (status >= 400) expect((await errorOf(response)).code).toBe(CODES[status]);
    }
  });
});

describe("a mutation that another place's page sends", () => {
  const mutations = ROWS.filter(({ method }) => method !== "GET");
  const foreign = { origin: "http://evil.example" };

  it("is refused to whoever could make it or not, before the role is asked and the body is looked at", async () => {
    const world = await populate(slug);
    for (const { name, method, path, expected } of mutations) {
      for (const column of ["anonymous", "user", "administrator"].filter((one) => expected.get(one) !== 401)) {
        const sent = { ...world.columns.get(column), body: "{", headers: { ...foreign, "content-type": "text/plain" } };
        const response = await send(method, pathWith(world, path), sent);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect([name, column, (await errorOf(response)).code]).toEqual([name, column, "origin_mismatch"]);
      }
    }
  });

  it("is not a question of the origin where nobody is known", async () => {
    const world = await populate(slug);
    for (const { name, method, path, expected } of mutations) {
      for (const column of COLUMNS.filter((one) => expected.get(one) === 401)) {
        const sent = { ...world.columns.get(column), json: BODIES[name], headers: foreign };
        const { code } = await errorOf(await send(method, pathWith(world, path), sent));
        expect([name, column, code]).toEqual([name, column, "unauthorized"]);
      }
    }
  });
});

describe("what only reads", () => {
  it("is answered whichever page asks, to HEAD as to GET", async () => {
    const world = await populate(slug);
    for (const { name, path, expected } of ROWS.filter(({ method }) => method === "GET")) {
      for (const column of COLUMNS) {
        const sent = { ...world.columns.get(column), headers: { origin: "http://evil.example" } };
        const get = await send("GET", pathWith(world, path), sent);
        const head = await send("HEAD", pathWith(world, path), sent);
        expect([name, column, get.status]).toEqual([name, column, expected.get(column)]);
        expect(head.status).toBe(get.status);
        // What is measured has changed by the second time.
        if (!["GET /metrics", "GET status"].includes(name))
          expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
        expect(await head.text()).toBe("");
      }
    }
  });
});

describe("methods that the table does not name", () => {
  const patternOf = (path: string) => {
    const full = path.startsWith("/") ? path : `/api/service/${path}`;
    const named = full.replace(/\/(own|other|nobody)/, "/[id]").replace("/slug", "/[...slug]");
    return named.replace("/api/docs/errors", "/api/docs/[[...page]]");
  };

  it("are 405 for everyone, signed in or not", async () => {
    for (const route of ROUTES.filter((candidate) => !candidate.startsWith("/api/[["))) {
      const named = ROWS.filter(({ path }) => patternOf(path) === route).map(({ method }) => method);
      expect(named, route).not.toEqual([]);
      const allowed = METHODS.filter((method) => named.includes(method === "HEAD" ? "GET" : method));
      const handlers = await loadRoute(route);
      for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
        const request = new Request("http://localhost/", { method });
        const response = await handlers[method](request, { params: Promise.resolve({}) });
        expect(response.headers.get("allow")?.split(", ").toSorted()).toEqual(allowed.toSorted());
        expect((await errorOf(response)).code).toBe("method_not_allowed");
      }
    }
  });
});
