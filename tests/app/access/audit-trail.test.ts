import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { readAuditTrail } from "#lib/access/audit-trail.ts";
import { deleteUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { AuditPage } from "#lib/schemas/audit.ts";
import { addToken, addUser, CALLER, NOBODY, OPERATOR, PASSWORD, signIn } from "../../access/people.ts";
import { planOf, type Statement, statementsOf } from "../../access/statements.ts";
import { completeIndexes, useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { send } from "../client.ts";

useDatabase();

type Page = z.output<typeof AuditPage>;

async function administrator() {
  const { secret, actor } = await signIn(await addUser("root", "admin"));
  const read = async (queryString = ""): Promise<Page> => {
    const response = await send("GET", `audit${queryString}`, { session: secret });
    expect(response.status).toBe(200);
    return AuditPage.parse(await response.json());
  };
  return { session: secret, user: actor.user, read };
}

/**
 * Events one second apart, the last one now. Every thousandth has another action and the target `userId`. With 20,000 the indexes are
 * as far ahead as with millions, and an insert stays within the time that a statement may take on a busy machine.
 */
async function addEvents(count: number, userId: string): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into audit_events (id, at, act, actor_id, actor_name, target_type, target_id, target_name)
      select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 3) || 'a' || substr(md5(n::text), 4, 15))::uuid,
        to_timestamp(ms / 1000.0),
        case when n % 1000 = 0 then 'user.updated' else 'login' end,
        case when n % 2000 = 0 then ${userId}::uuid else ${NOBODY}::uuid end, 'who@example.com',
        'user', case when n % 1000 = 0 then ${userId}::uuid else ${NOBODY}::uuid end, 'whom@example.com'
      from (select n, (extract(epoch from now()) * 1000)::bigint - (${count}::int - n) * 1000 as ms
        from generate_series(1, ${count}::int) as n) as made`),
  );
  await query((db) => db.execute(sql`analyze audit_events`));
}

describe("the audit trail", () => {
  it("records actor, action, subject and address, newest first, and no secret", async () => {
    const { read, user: root, session } = await administrator();
    const { secret, actor } = await signIn(await addUser("ada"));
    const { id: tokenId, token } = await addToken(actor);
    await send("POST", "login", { json: { email: "ada@example.com", password: "not the password" } });
    await send("PATCH", `users/${actor.user.id}`, { session, json: { name: "Ada Lovelace" } });
    const page = await read();
    const at = expect.stringMatching(/Z$/);
    const [update, failure, creation] = page.entries;
    expect(update).toEqual({
      id: expect.any(String),
      at,
      action: "user.updated",
      actor: { kind: "user", id: root.id, email: root.email },
      subject: { type: "user", id: actor.user.id, name: "ada@example.com" },
      address: null,
      detail: { name: "Ada Lovelace" },
      requestId: null,
    });
    expect(failure).toMatchObject({ action: "login.failed", actor: null, subject: { name: "ada@example.com" } });
    expect(creation).toMatchObject({
      action: "token.created",
      subject: { type: "token", id: tokenId, name: "Deploys" },
      address: CALLER.address,
    });
    expect(page.entries.at(-1)).toMatchObject({
      action: "user.created",
      actor: { kind: "operator", id: null, email: null },
    });
    expect(page.next).toBeNull();
    const text = JSON.stringify(page);
    for (const hidden of [secret, token, session, PASSWORD, "not the password", "argon2"])
      expect(text).not.toContain(hidden);
  });

  it("pages without a gap or a repetition while entries are added and the cursor's entry is deleted", async () => {
    const { read, user } = await administrator();
    await addEvents(500, user.id);
    const whole: string[] = [];
    for (let before = ""; ; ) {
      const { entries, next } = await read(`?limit=200${before}`);
      whole.push(...entries.map(({ id }) => id));
      if (next === null) break;
      before = `&before=${next}`;
    }
    expect(whole.length).toBeGreaterThanOrEqual(500);
    const turned: string[] = [];
    for (let before = ""; ; ) {
      const { entries, next } = await read(`?limit=90${before}`);
      turned.push(...entries.map(({ id }) => id));
      if (next === null) break;
      before = `&before=${next}`;
      await addUser(`new-${turned.length}`);
      await query((db) => db.execute(sql`delete from audit_events where id = ${next}`));
    }
    expect(turned).toEqual(whole);
  });

  it("pages backwards through the same pages", async () => {
    const { read, user } = await administrator();
    await query((db) => db.execute(sql`delete from audit_events`));
    await addEvents(25, user.id);
    const first = await read("?limit=10");
    const second = await read(`?limit=10&before=${first.next}`);
    const third = await read(`?limit=10&before=${second.next}`);
    expect(await read(`?limit=10&after=${third.entries[0]?.id}`)).toEqual(second);
    expect(await read(`?limit=10&after=${second.entries[0]?.id}`)).toEqual(first);
    expect(await read(`?limit=10&after=${first.entries[0]?.id}`)).toEqual({ entries: [], next: null });
    const oldest = third.entries.at(-1)?.id;
    await query((db) => db.execute(sql`delete from audit_events where id = ${oldest}`));
    const all = await read(`?after=${oldest}`);
    expect([all.entries.length, all.next]).toEqual([24, null]);
    const between = await read(`?after=${third.entries[0]?.id}&before=${first.entries[0]?.id}&limit=200`);
    expect(between.entries).toEqual([...first.entries, ...second.entries].slice(1));
  });

  it("has no cursor after a full last page", async () => {
    const { read, user } = await administrator();
    await query((db) => db.execute(sql`delete from audit_events`));
    await addEvents(20, user.id);
    const first = await read("?limit=10");
    expect(first.entries).toHaveLength(10);
    const second = await read(`?limit=10&before=${first.next}`);
    expect([second.entries.length, second.next]).toEqual([10, null]);
    expect(await read(`?before=${second.entries.at(-1)?.id}`)).toEqual({ entries: [], next: null });
  });

  it("filters by user: what they did and what was done to them, each once, after their deletion too", async () => {
    const { read } = await administrator();
    const { actor } = await signIn(await addUser("ada"));
    await addToken(actor);
    await signIn(await addUser("bob"));
    await deleteUser({ actor: OPERATOR, id: actor.user.id, caller: CALLER });
    const actions = async (queryString: string) => (await read(queryString)).entries.map(({ action }) => action);
    expect(await actions(`?user=${actor.user.id}`)).toEqual(["user.deleted", "token.created", "login", "user.created"]);
    expect(await actions(`?user=${actor.user.id}&action=login`)).toEqual(["login"]);
    expect(await actions(`?user=${NOBODY}`)).toEqual([]);
    expect(await actions("?action=user.deleted")).toEqual(["user.deleted"]);
  });

  it("has 50 entries to a page by default", async () => {
    const { read, user } = await administrator();
    await addEvents(100, user.id);
    expect((await read()).entries).toHaveLength(50);
    expect((await read("?limit=1")).entries).toHaveLength(1);
  });

  it.each([
    ["?limit=0", "/limit"],
    ["?limit=201", "/limit"],
    ["?limit=1e2", "/limit"],
    ["?limit=", "/limit"],
    ["?before=yesterday", "/before"],
    ["?after=", "/after"],
    ["?user=ada@example.com", "/user"],
    ["?action=no.such", "/action"],
    ["?limit=1&limit=2", "/limit"],
    ["?token=svc_x", "/token"],
    ["?__proto__=x", "/__proto__"],
  ])("refuses %s with the reason", async (queryString, path) => {
    const { session } = await administrator();
    const error = await errorOf(await send("GET", `audit${queryString}`, { session }));
    expect([error.code, error.issues?.map((issue) => issue.path)]).toEqual(["invalid_request", [path]]);
  });

  it("answers 403 to an ordinary user, also for an invalid query", async () => {
    const { secret } = await signIn(await addUser("ada"));
    for (const queryString of ["", "?limit=x", `?user=${NOBODY}`]) {
      const error = await errorOf(await send("GET", `audit${queryString}`, { session: secret }));
      expect([error.code, error.issues]).toEqual(["forbidden", undefined]);
    }
  });

  it("reads a page of 20,000 entries from an index", async () => {
    await completeIndexes();
    const user = await addUser("ada");
    await addEvents(20_000, user.id);
    const middle = (await readAuditTrail({ limit: 1 })).next ?? "";
    const wanted = [
      [{ before: middle }, "audit_events_pkey"],
      [{ after: middle, before: NOBODY }, "audit_events_pkey"],
      [{ action: "user.updated" }, "audit_events_act"],
      [{ user: user.id }, "audit_events_actor_id", "audit_events_by_others"],
      [{ user: user.id, action: "login", before: middle }, "audit_events_actor_act", "audit_events_by_others_act"],
    ] as const;
    for (const [asked, ...indexes] of wanted) {
      const [statement, ...others] = await statementsOf(() => readAuditTrail(asked));
      expect(others).toEqual([]);
      const plan = await planOf(statement as Statement);
      for (const index of indexes) expect(plan).toContain(index);
      // The two pages of a user, of events that they caused and of those about them, are sorted into one.
      expect(plan.split("Append").at(-1)).not.toMatch(/Seq Scan|-> {2}Sort/);
    }
    expect((await readAuditTrail({ action: "user.updated", limit: 200 })).entries).toHaveLength(20);
  });

  it("skips no entries of a user or an action that most entries have", async () => {
    await completeIndexes();
    const user = await addUser("ada");
    await addEvents(5_000, NOBODY);
    await query((db) =>
      db.execute(sql`update audit_events set actor_id = ${user.id}, target_id = ${user.id} where act = 'login'`),
    );
    await query((db) => db.execute(sql`analyze audit_events`));
    for (const asked of [{ action: "login" }, { user: user.id }, { user: user.id, action: "login" }] as const) {
      const [statement] = await statementsOf(() => readAuditTrail(asked));
      const plan = await planOf(statement as Statement);
      expect(plan).not.toMatch(/audit_events_pkey|Filter/);
      // A page is expected to be full. If few events were expected, another index and a sort would cost as little.
      expect(plan).toMatch(/^Limit .* rows=51 /);
    }
    expect((await readAuditTrail({ user: user.id, action: "login" })).entries).toHaveLength(50);
  });
});
