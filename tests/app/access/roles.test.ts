import { beforeEach, describe, expect, it } from "vitest";
import type { UserRecord } from "#lib/access/actor.ts";
import { query } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { addToken, addUser, NOBODY, PASSWORD, signIn } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { METHODS, type Method, ROUTES, send } from "../client.ts";

useDatabase();

type Person = { user: UserRecord; session: string };

async function person(name: string, role: "user" | "admin"): Promise<Person> {
  const user = await addUser(name, role);
  return { user, session: (await signIn(user)).secret };
}

let admin: Person;
let ada: Person;

beforeEach(async () => {
  admin = await person("admin", "admin");
  ada = await person("ada", "user");
});

type Sent = Parameters<typeof send>[2];

const codeOf = async (method: Method, path: string, sent: Sent) => (await errorOf(await send(method, path, sent))).code;
const byAdmin = (method: Method, path: string, json?: unknown) => send(method, path, { session: admin.session, json });
const account = async ({ session }: Person) => (await send("GET", "account", { session })).status;

describe("an administrator", () => {
  it("creates users, with the role user by default, and lists everyone without passwords", async () => {
    const json = { email: " Grace@Example.com ", name: " Grace ", password: PASSWORD };
    const created = await byAdmin("POST", "users", json);
    expect(created.status).toBe(201);
    const grace = await created.json();
    expect(grace).toMatchObject({ email: "grace@example.com", name: "Grace", role: "user", status: "active" });
    expect(grace.lastLoginAt).toBeNull();
    const text = await (await byAdmin("GET", "users")).text();
    expect(text).not.toMatch(/argon|hash|password/i);
    expect(JSON.parse(text).map((user: UserRecord) => user.email)).toEqual(
      expect.arrayContaining(["admin@example.com", "ada@example.com", "grace@example.com"]),
    );
    const other = { ...json, email: "root@example.com", role: "admin" };
    expect((await (await byAdmin("POST", "users", other)).json()).role).toBe("admin");
  });

  it.each([
    { email: "grace@example.com", name: "Grace" },
    { email: "grace", name: "Grace", password: PASSWORD },
    { email: "grace@example.com", name: "", password: PASSWORD },
    { email: "grace@example.com", name: "Grace", password: PASSWORD, role: "root" },
    { email: "grace@example.com", name: "Grace", password: PASSWORD, role: null },
    { email: "grace@example.com", name: "Grace", password: PASSWORD, status: "active" },
    { email: "grace@example.com", name: "Grace", password: PASSWORD, id: NOBODY },
    { email: ["grace@example.com"], name: "Grace", password: PASSWORD },
    {},
  ])("cannot create a user from %j", async (json) => {
    expect(await codeOf("POST", "users", { session: admin.session, json })).toBe("invalid_request");
  });

  it("cannot give two users the same email, in any spelling and concurrently", async () => {
    const json = { email: "ADA@example.com", name: "Ada", password: PASSWORD };
    expect(await codeOf("POST", "users", { session: admin.session, json })).toBe("email_taken");
    const change = { session: admin.session, json: { email: "admin@EXAMPLE.com" } };
    expect(await codeOf("PATCH", `users/${ada.user.id}`, change)).toBe("email_taken");
    const twin = { ...json, email: "twin@example.com" };
    const statuses = (await Promise.all([1, 2, 3].map(() => byAdmin("POST", "users", twin)))).map((r) => r.status);
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
  });

  it("deactivates at once: the next request with cookie or token is refused", async () => {
    const { token } = await addToken((await signIn(ada.user)).actor);
    const renderCode = () => codeOf("POST", "images/render", { token, json: { template: "no/such" } });
    expect(await renderCode()).toBe("unknown_template");
    const response = await byAdmin("PATCH", `users/${ada.user.id}`, { status: "deactivated" });
    expect(await response.json()).toMatchObject({ id: ada.user.id, status: "deactivated" });
    expect(await account(ada)).toBe(401);
    expect(await renderCode()).toBe("unauthorized");
    await byAdmin("PATCH", `users/${ada.user.id}`, { status: "active" });
    expect(await account(ada)).toBe(401);
    expect(await renderCode()).toBe("unknown_template");
  });

  it("promotes and demotes at once: the next request has the new role", async () => {
    const list = async () => (await send("GET", "users", { session: ada.session })).status;
    expect(await list()).toBe(403);
    await byAdmin("PATCH", `users/${ada.user.id}`, { role: "admin" });
    expect(await list()).toBe(200);
    await byAdmin("PATCH", `users/${ada.user.id}`, { role: "user" });
    expect(await list()).toBe(403);
    expect(await account(ada)).toBe(200);
  });

  it("sets a password, which ends every session of that user", async () => {
    const response = await byAdmin("POST", `users/${ada.user.id}/password`, { password: "another one, long" });
    expect(await response.json()).toEqual({ status: "ok" });
    expect(await account(ada)).toBe(401);
    const json = { email: ada.user.email, password: "another one, long" };
    expect((await send("POST", "login", { json })).status).toBe(200);
  });

  it("deletes a user with their sessions and tokens", async () => {
    const { token, id } = await addToken((await signIn(ada.user)).actor);
    expect(await (await byAdmin("DELETE", `users/${ada.user.id}`)).json()).toEqual({ status: "ok" });
    expect(await account(ada)).toBe(401);
    expect(await codeOf("POST", "images/render", { token, json: {} })).toBe("unauthorized");
    expect((await byAdmin("DELETE", `tokens/${id}`)).status).toBe(404);
    expect((await byAdmin("DELETE", `users/${ada.user.id}`)).status).toBe(404);
  });

  it("who is the last active one cannot be demoted, deactivated or deleted by anyone", async () => {
    const path = `users/${admin.user.id}`;
    const second = await person("second", "admin");
    await byAdmin("PATCH", `users/${second.user.id}`, { status: "deactivated" });
    const attempts: [Method, unknown][] = [
      ["PATCH", { role: "user" }],
      ["PATCH", { status: "deactivated" }],
      ["PATCH", { name: "X", role: "user", status: "deactivated" }],
      ["DELETE", undefined],
    ];
    for (const [method, json] of attempts) {
      expect(await codeOf(method, path, { session: admin.session, json })).toBe("last_admin");
    }
    expect(await (await send("GET", "account", { session: admin.session })).json()).toMatchObject({
      name: "admin",
      role: "admin",
    });
  });
});

describe("an id that does not exist, or that the caller may not know of", () => {
  const IDS = [
    NOBODY,
    "1",
    "0",
    "-1",
    "null",
    "me",
    "' or 1=1 --",
    "%",
    "*",
    "__proto__",
    "x".repeat(10_000),
    `${NOBODY}'`,
    NOBODY.replaceAll("-", ""),
    `{${NOBODY}}`,
    "ffffffff-ffff-ffff-ffff-fffffffffffff",
    "😀",
  ];

  it.each(IDS)("gets the same 404: %s", async (id) => {
    const encoded = encodeURIComponent(id);
    const requests: [Method, string, unknown][] = [
      ["DELETE", `tokens/${encoded}`, undefined],
      ["GET", `users/${encoded}/tokens`, undefined],
      ["PATCH", `users/${encoded}`, { name: "X" }],
      ["DELETE", `users/${encoded}`, undefined],
      ["POST", `users/${encoded}/password`, { password: PASSWORD }],
    ];
    for (const [at, [method, path, json]] of requests.entries()) {
      expect(await codeOf(method, path, { session: admin.session, json })).toBe("not_found");
      const code = await codeOf(method, path, { session: ada.session, json });
      expect(code).toBe(at < 2 ? "not_found" : "forbidden");
    }
  });

  it("answers exactly as another user's id", async () => {
    const { id } = await addToken((await signIn(admin.user)).actor);
    const bodyOf = async (method: Method, path: string) => {
      const { requestId: _, ...error } = await errorOf(await send(method, path, { session: ada.session }));
      return error;
    };
    expect(await bodyOf("DELETE", `tokens/${id}`)).toEqual(await bodyOf("DELETE", `tokens/${NOBODY}`));
    expect(await bodyOf("GET", `users/${admin.user.id}/tokens`)).toEqual(await bodyOf("GET", `users/${NOBODY}/tokens`));
  });
});

describe("a user", () => {
  it("never becomes an administrator through any route", async () => {
    const paths = ROUTES.filter((route) => route.startsWith("/api/service/")).map((route) =>
      route.replace("/api/service/", "").replace("[id]", ada.user.id).replace("[...slug]", "a"),
    );
    const bodies: unknown[] = [
      { role: "admin" },
      { name: "X", role: "admin" },
      { status: "active", role: "admin" },
      { email: "x@example.com", name: "X", password: PASSWORD, role: "admin" },
      { currentPassword: PASSWORD, newPassword: PASSWORD, role: "admin" },
      { user: { role: "admin" }, constructor: { prototype: { role: "admin" } } },
    ];
    // They read no body, and one would end what this is sent with.
    const isDone = (method: Method, path: string) =>
      ["POST logout", "DELETE account/sessions", "DELETE account/unknown-logins"].includes(`${method} ${path}`);
    for (const path of paths) {
      const refused = METHODS.filter((method) => method !== "GET" && method !== "HEAD" && !isDone(method, path));
      for (const method of refused) {
        for (const json of bodies) {
          const response = await send(method, `${path}?role=admin`, { session: ada.session, json });
          expect([path, method, response.status >= 400 && response.status < 500]).toEqual([path, method, true]);
        }
      }
    }
    const everyone = await query((db) => db.select().from(users));
    expect(everyone.filter(({ role }) => role === "admin").map(({ id }) => id)).toEqual([admin.user.id]);
    expect(everyone).toHaveLength(2);
  });
});
