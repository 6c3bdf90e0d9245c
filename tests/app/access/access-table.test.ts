import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { PASSWORD } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { LINK_KEYS } from "../../links/links.ts";
import { prepareTemplates } from "../../templates/shipped.ts";
import { loadRoute, METHODS, ROUTES, send } from "../client.ts";
import { COLUMNS, ROWS } from "./access-table.ts";
import { pathWith, populate } from "./access-world.ts";

/** Answers that may be cached. */
const CACHED: Record<string, string> = {
  "thumbnails/slug": "private, max-age=60, must-revalidate",
  "status/scripts": "private, max-age=60, must-revalidate",
  "links/signed": "public, max-age=86400",
};

const CODES: Record<number, string> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  422: "unknown_template",
};

/** An accepted body for each request with one. */
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

beforeEach(() => void vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS));

beforeAll(async () => {
  slug = await prepareTemplates();
  BODIES["POST images/render"] = { template: slug };
  BODIES["POST images/explain"] = { template: slug };
  return () => shutDown();
});

const READS = ROWS.filter(({ method }) => method === "GET");
const MUTATIONS = ROWS.filter(({ method }) => method !== "GET");

type Row = (typeof ROWS)[number];

async function expectAnswer(response: Response, { path }: Row, status: number): Promise<void> {
  const cacheControl = status === 200 ? CACHED[path] : undefined;
  expectSafeHeaders(response, {
    ...(cacheControl && { cacheControl }),
    ...(path === "links/signed" && { shownBy: "cross-origin" }),
  });
  const challenge = status === 401 && path === "images/render" ? "Bearer" : null;
  expect(response.headers.get("www-authenticate")).toBe(challenge);
  if (status >= 400) expect((await errorOf(response)).code).toBe(CODES[status]);
}

describe.each(MUTATIONS)("$name", (row) => {
  const { name, method, path, expected } = row;

  it("answers every kind of caller as the table says", async () => {
    const world = await populate(slug);
    for (const column of COLUMNS) {
      const response = await send(method, pathWith(world, path), { ...world.columns.get(column), json: BODIES[name] });
      const status = expected.get(column) ?? 0;
      expect([column, response.status]).toEqual([column, status]);
      await expectAnswer(response, row, status);
    }
  });
});

describe("a mutation from a foreign page", () => {
  const foreign = { origin: "http://evil.example" };

  it("is refused before the role and the body are checked", async () => {
    const world = await populate(slug);
    for (const { name, method, path, expected } of MUTATIONS) {
      for (const column of ["anonymous", "user", "administrator"].filter((one) => expected.get(one) !== 401)) {
        const sent = { ...world.columns.get(column), body: "{", headers: { ...foreign, "content-type": "text/plain" } };
        const response = await send(method, pathWith(world, path), sent);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect([name, column, (await errorOf(response)).code]).toEqual([name, column, "origin_mismatch"]);
      }
    }
  });

  it("is refused for its credentials where they are missing or invalid", async () => {
    const world = await populate(slug);
    for (const { name, method, path, expected } of MUTATIONS) {
      for (const column of COLUMNS.filter((one) => expected.get(one) === 401)) {
        const sent = { ...world.columns.get(column), json: BODIES[name], headers: foreign };
        const { code } = await errorOf(await send(method, pathWith(world, path), sent));
        expect([name, column, code]).toEqual([name, column, "unauthorized"]);
      }
    }
  });
});

describe("a request that only reads", () => {
  it("is answered as the table says, whatever its origin, to HEAD as to GET", async () => {
    const world = await populate(slug);
    for (const row of READS) {
      const { name, path, expected } = row;
      for (const column of COLUMNS) {
        const sent = { ...world.columns.get(column), headers: { origin: "http://evil.example" } };
        const get = await send("GET", pathWith(world, path), sent);
        const head = await send("HEAD", pathWith(world, path), sent);
        const status = expected.get(column) ?? 0;
        expect([name, column, get.status, head.status]).toEqual([name, column, status, status]);
        // The length of a measurement varies.
        if (!["GET /metrics", "GET status"].includes(name))
          expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
        expect(await head.text()).toBe("");
        await expectAnswer(get, row, status);
      }
    }
  });
});

describe("methods outside the table", () => {
  const patternOf = (path: string) => {
    const full = path.startsWith("/") ? path : `/api/service/${path}`;
    const named = full.replace(/\/(own|other|nobody)/, "/[id]").replace(/\/(slug|unknown)$/, "/[...slug]");
    return named.replace("/links/signed", "/links/[...link]").replace("/api/docs/errors", "/api/docs/[[...page]]");
  };

  it("are 405 for every caller", async () => {
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
