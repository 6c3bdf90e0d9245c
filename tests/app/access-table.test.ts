import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteUser, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { shutDown } from "#lib/render/render.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { addToken, addUser, CALLER, NOBODY, OPERATOR, PASSWORD, signIn } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { loadRoute, METHODS, type Method, ROUTES, type Sent, send } from "./client.ts";

/*
 * The reference of who may do what with the access layer on. Each row is a request, each column what it is sent with: nothing,
 * the cookie of a user or of an administrator, an API token of that user, or the cookie of a session that has expired, or whose
 * user has been deactivated or deleted. `own` and `other` belong to that user and to another one, `nobody` is an id of none.
 * A login brings the right password of someone else.
 */
const TABLE = `
                                 anonymous  user  administrator  token  expired  deactivated  deleted
  POST   login                         200   200            200    200      200          200      200
  POST   logout                        200   200            200    200      200          200      200
  GET    account                       401   200            200    401      401          401      401
  PATCH  account                       401   200            200    401      401          401      401
  POST   account/password              401   200            200    401      401          401      401
  GET    account/sessions              401   200            200    401      401          401      401
  DELETE account/sessions              401   200            200    401      401          401      401
  DELETE account/sessions/own          401   200            404    401      401          401      401
  DELETE account/sessions/other        401   404            404    401      401          401      401
  DELETE account/sessions/nobody       401   404            404    401      401          401      401
  GET    tokens                        401   200            200    401      401          401      401
  POST   tokens                        401   201            201    401      401          401      401
  GET    tokens/usage                  401   200            200    401      401          401      401
  DELETE tokens/own                    401   200            200    401      401          401      401
  DELETE tokens/other                  401   404            200    401      401          401      401
  DELETE tokens/nobody                 401   404            404    401      401          401      401
  GET    users                         401   403            200    401      401          401      401
  POST   users                         401   403            201    401      401          401      401
  GET    users/own                     401   403            200    401      401          401      401
  GET    users/other                   401   403            200    401      401          401      401
  GET    users/nobody                  401   403            404    401      401          401      401
  PATCH  users/own                     401   403            200    401      401          401      401
  PATCH  users/other                   401   403            200    401      401          401      401
  PATCH  users/nobody                  401   403            404    401      401          401      401
  DELETE users/own                     401   403            200    401      401          401      401
  DELETE users/other                   401   403            200    401      401          401      401
  DELETE users/nobody                  401   403            404    401      401          401      401
  POST   users/own/password            401   403            200    401      401          401      401
  POST   users/other/password          401   403            200    401      401          401      401
  POST   users/nobody/password         401   403            404    401      401          401      401
  GET    users/own/tokens              401   200            200    401      401          401      401
  GET    users/other/tokens            401   404            200    401      401          401      401
  GET    users/nobody/tokens           401   404            404    401      401          401      401
  GET    users/own/tokens/usage        401   200            200    401      401          401      401
  GET    users/other/tokens/usage      401   404            200    401      401          401      401
  GET    users/nobody/tokens/usage     401   404            404    401      401          401      401
  GET    audit                         401   403            200    401      401          401      401
  POST   images/render                 401   200            200    200      401          401      401
  GET    templates                     401   200            200    401      401          401      401
  GET    templates/slug                401   200            200    401      401          401      401
  GET    thumbnails/slug               401   200            200    401      401          401      401
  GET    status                        401   403            200    401      401          401      401
  GET    status/scripts                401   403            200    401      401          401      401
  GET    openapi.json                  401   200            200    401      401          401      401
  GET    /api/docs/errors              401   200            200    401      401          401      401
  GET    /llms.txt                     401   200            200    401      401          401      401
  GET    /healthz                      200   200            200    200      200          200      200
  GET    /metrics                      200   200            200    200      200          200      200
  GET    /readyz                       200   200            200    200      200          200      200
`;

/** What a browser may keep for itself. */
const KEPT = ["thumbnails/slug", "status/scripts"];

const CODES: Record<number, string> = { 401: "unauthorized", 403: "forbidden", 404: "not_found" };

const [header = "", ...lines] = TABLE.split("\n").filter((line) => line.trim() !== "");
const COLUMNS = header.trim().split(/ +/);
const ROWS = lines.map((line) => {
  const [method = "", path = "", ...statuses] = line.trim().split(/ +/);
  const expected = COLUMNS.map((column, at): [string, number] => [column, Number(statuses[at])]);
  return { name: `${method} ${path}`, method: method as Method, path, expected: new Map(expected) };
});

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
  buildFonts();
  const { templates } = await buildRegistry();
  slug = templates[0]?.slug ?? "";
  BODIES["POST images/render"] = { template: slug };
  return () => shutDown();
});

type World = { columns: Map<string, Sent>; ids: Record<"tokens" | "users" | "sessions", Map<string, string>> };

async function endedSession(name: string, end: (id: string, sessionId: string) => Promise<unknown>): Promise<Sent> {
  const user = await addUser(name);
  const { secret, actor } = await signIn(user);
  await end(user.id, actor.sessionId);
  return { session: secret };
}

function expire(id: string): Promise<unknown> {
  const expiresAt = sql`now() - interval '1 second'`;
  return query((db) => db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id)));
}

/** Everyone of the columns, and what the paths name. */
async function populate(): Promise<World> {
  const admin = await signIn(await addUser("admin", "admin"));
  const user = await signIn(await addUser("user"));
  const other = await signIn(await addUser("other"));
  const elsewhere = await signIn(user.actor.user);
  const [token, othersToken] = [await addToken(user.actor), await addToken(other.actor)];
  const deactivate = (id: string) =>
    updateUser({ actor: OPERATOR, id, changes: { status: "deactivated" }, caller: CALLER });
  const columns: [string, Sent][] = [
    ["anonymous", {}],
    ["user", { session: user.secret }],
    ["administrator", { session: admin.secret }],
    ["token", { token: token.token }],
    ["expired", await endedSession("expired", (_id, sessionId) => expire(sessionId))],
    ["deactivated", await endedSession("deactivated", deactivate)],
    ["deleted", await endedSession("deleted", (id) => deleteUser({ actor: OPERATOR, id, caller: CALLER }))],
  ];
  const tokens = { own: token.id, other: othersToken.id, nobody: NOBODY };
  const ofSessions = { own: elsewhere.actor.sessionId, other: other.actor.sessionId, nobody: NOBODY };
  const users = { own: user.actor.user.id, other: other.actor.user.id, nobody: NOBODY };
  return {
    columns: new Map(columns),
    ids: {
      tokens: new Map(Object.entries(tokens)),
      users: new Map(Object.entries(users)),
      sessions: new Map(Object.entries(ofSessions)),
    },
  };
}

function pathWith({ ids }: World, path: string): string {
  return path
    .replace(/^(templates|thumbnails)\/slug$/, (_all, kind) => `${kind}/${slug}`)
    .replace(/(tokens|users|sessions)\/(own|other|nobody)/, (_all, kind: keyof World["ids"], name) => {
      return `${kind}/${ids[kind].get(name)}`;
    });
}

describe.each(ROWS)("$name", ({ name, method, path, expected }) => {
  it("answers each as the table says", async () => {
    const world = await populate();
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
    const world = await populate();
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
    const world = await populate();
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
    const world = await populate();
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
