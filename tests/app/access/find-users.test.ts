import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { USER_COLUMNS } from "#lib/access/actor.ts";
import { findUsers } from "#lib/access/user-directory.ts";
import { query } from "#lib/db/database.ts";
import { addUser, NOBODY, signIn } from "../../access/people.ts";
import { planOf, type Statement, statementsOf } from "../../access/statements.ts";
import { completeIndexes, useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { mostInOneTurn } from "../../turns.ts";
import { send } from "../client.ts";

useDatabase();

let session: string;

beforeEach(async () => {
  session = (await signIn(await addUser("root", "admin"))).secret;
});

type Shown = { id: string; email: string; name: string; role: string };

async function find(wanted: Record<string, string> = {}): Promise<{ users: Shown[]; total: number }> {
  const response = await send("GET", `users?${new URLSearchParams(wanted)}`, { session });
  expect(response.status).toBe(200);
  return { users: await response.json(), total: Number(response.headers.get("x-total-count")) };
}

const names = async (wanted: Record<string, string>) => (await find(wanted)).users.map(({ name }) => name);

/** Inserts many users without hashing passwords. Names, times and roles repeat. */
async function addMany(count: number): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into users (id, email, name, role, password_hash, created_at, last_login_at)
      select gen_random_uuid(), 'user' || n || '@example.org', 'Person ' || n % 7, case when n % 50 = 0 then 'admin' else 'user' end,
        'none', now() - (n % 11) * interval '1 day', case when n % 3 = 0 then null else now() - (n % 5) * interval '1 hour' end
      from generate_series(1, ${count}::int) as n`),
  );
  await query((db) => db.execute(sql`analyze users`));
}

async function addNamed(name: string, email: string): Promise<void> {
  await query((db) =>
    db.execute(
      sql`insert into users (id, email, name, password_hash) values (gen_random_uuid(), ${email}, ${name}, 'none')`,
    ),
  );
}

describe("the users", () => {
  it("are all listed without a query, oldest first", async () => {
    await addMany(300);
    const { users, total } = await find();
    const byAge = await query((db) => db.execute<{ id: string }>(sql`select id from users order by created_at, id`));
    expect(users.map(({ id }) => id)).toEqual(byAge.map(({ id }) => id));
    expect(total).toBe(301);
  });

  it("are all listed as a page lists them, and other requests get a turn in between", async () => {
    await addMany(3_000);
    const { createdAt } = USER_COLUMNS;
    const convert = createdAt.mapFromDriverValue.bind(createdAt);
    const spy = vi.spyOn(createdAt, "mapFromDriverValue");
    onTestFinished(() => spy.mockRestore());
    const most = await mostInOneTurn(async (count) => {
      spy.mockImplementation((value) => {
        count();
        return convert(value);
      });
      await findUsers({});
    });
    expect([spy.mock.calls.length, most < 1_000]).toEqual([3_001, true]);
    const everyone = (await findUsers({ sort: "-lastLoginAt" })).users;
    expect(everyone.slice(0, 200)).toEqual((await findUsers({ sort: "-lastLoginAt", limit: 200 })).users);
  });

  it("are found by part of the email or the name in any case, without wildcards", async () => {
    await addNamed("Percy 100%", "percy@example.com");
    await addNamed("Under_score", "under@example.com");
    await addNamed('O\'Hara "Q"', "ohara@example.com");
    await addNamed("Back\\slash", "back@example.com");
    await addNamed("Émilie", "emilie@example.com");
    const found: Record<string, string[]> = {
      "100%": ["Percy 100%"],
      "%": ["Percy 100%"],
      _: ["Under_score"],
      r_s: ["Under_score"],
      rXs: [],
      "'": ['O\'Hara "Q"'],
      '"q"': ['O\'Hara "Q"'],
      "\\": ["Back\\slash"],
      "UNDER@": ["Under_score"],
      " percy ": ["Percy 100%"],
      émilie: ["Émilie"],
      "' or true --": [],
    };
    for (const [search, expected] of Object.entries(found)) expect(await names({ search }), search).toEqual(expected);
    expect((await find({ search: "" })).total).toBe(6);
    expect(await find({ search: "example.com", limit: "2", page: "2" })).toMatchObject({ total: 6, users: [{}, {}] });
  });

  it("are found by what they type as their email", async () => {
    await addUser("σίσυφος");
    await addUser("fi");
    expect(await names({ search: "ΣΊΣΥΦΟΣ@example.com" })).toHaveLength(1);
    expect(await names({ search: "ﬁ@example.com" })).toHaveLength(1);
  });

  it.each(["email", "name", "createdAt", "lastLoginAt", "role", "status"])(
    "sorted by %s are each on exactly one page, and in the opposite order with -",
    async (sort) => {
      await addMany(100);
      const pages = [];
      for (let page = 1; page <= 5; page++) pages.push(await find({ sort, limit: "30", page: String(page) }));
      expect(pages.map(({ users, total }) => [users.length, total])).toEqual([30, 30, 30, 11, 0].map((n) => [n, 101]));
      const ids = pages.flatMap(({ users }) => users.map(({ id }) => id));
      expect(new Set(ids).size).toBe(101);
      expect((await find({ sort: `-${sort}` })).users.map(({ id }) => id)).toEqual(ids.toReversed());
    },
  );

  it("sort by name without case, and by last login with those first who never signed in", async () => {
    for (const name of ["beta", "Alpha", "Gamma"]) await addNamed(name, `${name}@example.com`);
    expect(await names({ sort: "name", search: "a@" })).toEqual(["Alpha", "beta", "Gamma"]);
    expect((await names({ sort: "lastLoginAt" })).at(-1)).toBe("root");
    expect((await names({ sort: "-lastLoginAt" })).at(0)).toBe("root");
  });

  it("are 50 to a page by default", async () => {
    await addMany(60);
    expect((await find({ page: "1" })).users).toHaveLength(50);
    expect((await find({ page: "2" })).users).toHaveLength(11);
    expect((await find({ limit: "5" })).users).toHaveLength(5);
  });

  it.each([
    [{ page: "0" }, "/page"],
    [{ page: "-1" }, "/page"],
    [{ page: "1.5" }, "/page"],
    [{ page: "1000001" }, "/page"],
    [{ page: "99999999999999999999" }, "/page"],
    [{ limit: "201" }, "/limit"],
    [{ limit: "ten" }, "/limit"],
    [{ sort: "passwordHash" }, "/sort"],
    [{ sort: "--email" }, "/sort"],
    [{ search: "x".repeat(255) }, "/search"],
    [{ search: "a\0b" }, "/search"],
    [{ role: "admin" }, "/role"],
    [{ constructor: "x" }, "/constructor"],
  ])("refuse %j with the reason", async (wanted: Record<string, string>, path) => {
    const error = await errorOf(await send("GET", `users?${new URLSearchParams(wanted)}`, { session }));
    expect([error.code, error.issues?.map((issue) => issue.path)]).toEqual(["invalid_request", [path]]);
  });

  it("name every fault of a query at once, including a repeated key", async () => {
    const error = await errorOf(await send("GET", "users?page=1&page=2&limit=0&x=1", { session }));
    expect(error.issues?.map(({ path }) => path).toSorted()).toEqual(["/limit", "/page", "/x"]);
  });

  it("are 403 for an ordinary user, whatever the query", async () => {
    const { secret } = await signIn(await addUser("ada"));
    for (const queryString of ["", "?page=1", "?x=1"]) {
      const response = await send("GET", `users${queryString}`, { session: secret });
      expect(response.headers.has("x-total-count")).toBe(false);
      expect((await errorOf(response)).code).toBe("forbidden");
    }
  });

  it("read a page of 5,000 by age, email and name from an index", async () => {
    await completeIndexes();
    await addMany(5_000);
    const wanted = { createdAt: "users_created_at", email: "users_email_unique", name: "users_name" } as const;
    for (const [sort, index] of Object.entries(wanted) as [keyof typeof wanted, string][]) {
      for (const direction of ["", "-"] as const) {
        const asked = { sort: `${direction}${sort}`, page: 2 } as const;
        expect((await findUsers(asked)).users).toHaveLength(50);
        const [statement] = await statementsOf(() => findUsers(asked));
        expect(statement?.text).toMatch(/ limit \$\d+ offset \$\d+$/);
        const plan = await planOf(statement as Statement);
        expect(plan).toContain(index);
        expect(plan).not.toContain("->  Sort");
      }
    }
  });
});

describe("one user", () => {
  it("is shown to an administrator without a hash", async () => {
    const ada = await addUser("ada");
    const response = await send("GET", `users/${ada.id}`, { session });
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(ada)));
  });

  it("that does not exist is 404, whatever the form of the id", async () => {
    for (const id of [NOBODY, "1", encodeURIComponent("' or true --"), "x".repeat(2_000)])
      expect((await errorOf(await send("GET", `users/${id}`, { session }))).code).toBe("not_found");
  });
});

it("rows with times, ids and details that Platen does not write take no list, page or export along", async () => {
  await query((db) =>
    db.execute(sql`
      insert into users (id, email, name, password_hash, created_at, last_login_at)
      values (md5('ada')::uuid, 'ada@example.com', 'Ada', 'none', '-infinity', 'infinity'),
        (md5('bob')::uuid, 'bob@example.com', 'Bob', 'none', '0044-03-15 BC', '20000-01-01')`),
  );
  await query((db) => db.execute(sql`update sessions set expires_at = 'infinity', last_seen_at = '-infinity'`));
  await query((db) =>
    db.execute(sql`
      insert into audit_events (id, at, act, detail)
      select ('01900000-0000-7000-8000-00000000000' || n)::uuid, case when n = 1 then 'infinity' else now() end, 'login', detail
      from unnest(array['[1]', '"text"', '{"a": {"b": 1}, "c": null}']::jsonb[]) with ordinality as given (detail, n)`),
  );
  const { users } = await find({ sort: "email" });
  expect(users).toMatchObject([
    { name: "Ada", createdAt: "0001-01-01T00:00:00.000Z", lastLoginAt: "9999-12-31T23:59:59.999Z" },
    { name: "Bob", createdAt: "0001-01-01T00:00:00.000Z", lastLoginAt: "9999-12-31T23:59:59.999Z" },
    {},
  ]);
  expect((await send("DELETE", `users/${users[0]?.id}`, { session })).status).toBe(200);
  expect((await send("GET", "account/sessions", { session })).status).toBe(200);
  const { entries } = await (await send("GET", "audit?action=login", { session })).json();
  expect(entries.slice(-3)).toMatchObject([
    { detail: { a: '{"b":1}', c: "null" } },
    { detail: { detail: "text" } },
    { at: "9999-12-31T23:59:59.999Z", detail: { detail: "[1]" } },
  ]);
  expect(await (await send("GET", "audit/export?format=csv", { session })).text()).toContain(
    '"9999-12-31T23:59:59.999Z"',
  );
});
