import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { UserRecord } from "#lib/access/actor.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { listAuditEvents } from "../../access/audit-events.ts";
import { addUser, NOBODY, outcomes, PASSWORD, signIn } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { send, sessionOf } from "../client.ts";

useDatabase();

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

type Shown = { id: string; device: string; userAgent: string; current: boolean; lastSeenAt: string };

async function logIn({ email }: UserRecord, userAgent: string): Promise<string> {
  const json = { email, password: PASSWORD };
  return sessionOf(await send("POST", "login", { json, headers: { "user-agent": userAgent } })) ?? "";
}

const listed = async (session: string): Promise<Shown[]> => (await send("GET", "account/sessions", { session })).json();
const isAlive = async (session: string) => (await send("GET", "account", { session })).status === 200;
const actsRecorded = async () => (await listAuditEvents({ limit: 100 })).map(({ act }) => act);

describe("one's own sessions", () => {
  it("are listed with a readable device, this one first, and without secrets", async () => {
    const ada = await addUser("ada");
    const laptop = await logIn(ada, FIREFOX);
    const script = await logIn(ada, "curl/8.5.0");
    await logIn(await addUser("bob"), FIREFOX);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const rest = { id: expect.any(String), createdAt: at, lastSeenAt: at, expiresAt: at, address: null };
    expect(await listed(laptop)).toEqual([
      { ...rest, userAgent: FIREFOX, device: "Firefox on Linux", current: true },
      { ...rest, userAgent: "curl/8.5.0", device: "curl", current: false },
    ]);
    expect((await listed(script)).map(({ current, device }) => [current, device])).toEqual([
      [true, "curl"],
      [false, "Firefox on Linux"],
    ]);
  });

  it("that have expired are neither listed nor can be ended", async () => {
    const ada = await addUser("ada");
    const [here, old] = [await signIn(ada), await signIn(ada)];
    const expiresAt = sql`now() - interval '1 second'`;
    await query((db) => db.update(sessions).set({ expiresAt }).where(eq(sessions.id, old.actor.sessionId)));
    expect((await listed(here.secret)).map(({ id }) => id)).toEqual([here.actor.sessionId]);
    const response = await send("DELETE", `account/sessions/${old.actor.sessionId}`, { session: here.secret });
    expect((await errorOf(response)).code).toBe("not_found");
  });

  it("keep a bounded part of the User-Agent, and show one that cannot be parsed", async () => {
    const ada = await addUser("ada");
    const here = await logIn(ada, "x".repeat(5_000));
    await logIn(ada, "(((");
    const shown = await listed(here);
    expect(shown[0]?.userAgent).toBe("x".repeat(200));
    expect(shown[1]?.device).toBe("Unknown device");
  });
});

describe("the time a session was last seen", () => {
  const asOld = (interval: string) =>
    query((db) => db.update(sessions).set({ lastSeenAt: sql`now() - ${interval}::interval` }));
  const lastSeen = async () => Number((await query((db) => db.select().from(sessions)))[0]?.lastSeenAt);

  it("is written at most once a minute", async () => {
    const { secret } = await signIn(await addUser("ada"));
    await asOld("50 seconds");
    const before = await lastSeen();
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 10; i++) expect(await isAlive(secret)).toBe(true);
    });
    expect(statements).toHaveLength(10);
    expect(await lastSeen()).toBe(before);
  });

  it("is written once by many concurrent requests", async () => {
    const { secret } = await signIn(await addUser("ada"));
    await asOld("2 minutes");
    const writes = async () => {
      const [row] = await query((db) => db.execute<{ n: number }>(sql`select count(*)::int as n from seen_writes`));
      return row?.n;
    };
    await query(async (db) => {
      await db.execute(sql`create table seen_writes (at timestamptz)`);
      await db.execute(sql`create function note_seen_write() returns trigger language plpgsql as
        $$ begin insert into seen_writes values (now()); return new; end $$`);
      await db.execute(
        sql`create trigger seen before update on sessions for each row execute function note_seen_write()`,
      );
    });
    try {
      await Promise.all(Array.from({ length: 20 }, () => isAlive(secret)));
      await expect.poll(writes).toBe(1);
      await isAlive(secret);
      expect(await writes()).toBe(1);
    } finally {
      await query((db) => db.execute(sql`drop function note_seen_write cascade`));
      await query((db) => db.execute(sql`drop table seen_writes`));
    }
  });

  it("fails no request when it cannot be written, and is not written for refused requests", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    await asOld("2 minutes");
    const before = await lastSeen();
    // A sequence keeps its value when a statement fails.
    const refused = async () => {
      const [row] = await query((db) =>
        db.execute<{ n: number }>(sql`select last_value::int as n from refused_writes`),
      );
      return row?.n;
    };
    await query(async (db) => {
      await db.execute(sql`create sequence refused_writes minvalue 0 start 0`);
      await db.execute(sql`create function refuse_seen_write() returns trigger language plpgsql as
        $$ begin perform nextval('refused_writes'); raise exception 'refused'; end $$`);
      await db.execute(
        sql`create trigger seen before update on sessions for each row execute function refuse_seen_write()`,
      );
      // The first value is the one that it has already.
      await db.execute(sql`select nextval('refused_writes')`);
    });
    try {
      expect(await isAlive(secret)).toBe(true);
      expect(await listed(secret)).toHaveLength(1);
      // Requests do not wait for the writes.
      await expect.poll(refused).toBe(2);
    } finally {
      await query((db) => db.execute(sql`drop function refuse_seen_write cascade`));
      await query((db) => db.execute(sql`drop sequence refused_writes`));
    }
    await query((db) => db.execute(sql`update users set status = 'deactivated' where id = ${actor.user.id}`));
    const statements = await statementsOf(() => isAlive(secret));
    expect(statements).toHaveLength(1);
    expect(await lastSeen()).toBe(before);
  });
});

describe("ending a session", () => {
  it("ends only that session, at once, and is in the audit trail with the device", async () => {
    const ada = await addUser("ada");
    const [here, elsewhere, third] = [await logIn(ada, "a"), await logIn(ada, FIREFOX), await logIn(ada, "c")];
    const id = (await listed(here)).find(({ userAgent }) => userAgent === FIREFOX)?.id;
    const response = await send("DELETE", `account/sessions/${id}`, { session: here });
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await Promise.all([here, elsewhere, third].map(isAlive))).toEqual([true, false, true]);
    const [event] = await listAuditEvents({ limit: 1 });
    expect(event).toMatchObject({
      act: "session.ended",
      actorId: ada.id,
      targetType: "session",
      targetId: id,
      targetName: "Firefox on Linux",
    });
    const again = await send("DELETE", `account/sessions/${id}`, { session: here });
    expect((await errorOf(again)).code).toBe("not_found");
  });

  it("clears the cookie when it is the session of the request", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    const response = await send("DELETE", `account/sessions/${actor.sessionId}`, { session: secret });
    expect(response.headers.getSetCookie()).toEqual([
      "service_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    ]);
    expect(await isAlive(secret)).toBe(false);
  });

  it("of another user answers as for an unknown id, even for an administrator", async () => {
    const root = await signIn(await addUser("root", "admin"));
    const ada = await signIn(await addUser("ada"));
    const answers = new Set<string>();
    for (const id of [ada.actor.sessionId, NOBODY, "1", encodeURIComponent("' or true --"), "x".repeat(2_000)]) {
      const { requestId: _, ...error } = await errorOf(
        await send("DELETE", `account/sessions/${id}`, { session: root.secret }),
      );
      answers.add(JSON.stringify(error));
    }
    expect(answers.size).toBe(1);
    expect(await isAlive(ada.secret)).toBe(true);
  });
});

describe("ending all other sessions", () => {
  it("leaves this one and those of other users, and is in the audit trail once with their number", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const [here, ...others] = [await logIn(ada, "a"), await logIn(ada, "b"), await logIn(ada, "c")];
    const bobs = await logIn(bob, "d");
    const response = await send("DELETE", "account/sessions", { session: here });
    expect(await response.json()).toEqual({ status: "ok" });
    expect(await Promise.all([here, ...others, bobs].map(isAlive))).toEqual([true, false, false, true]);
    await send("DELETE", "account/sessions", { session: here });
    expect((await actsRecorded()).filter((act) => act === "sessions.ended")).toHaveLength(1);
    const [event] = await listAuditEvents({ limit: 1 });
    expect(event).toMatchObject({ detail: { sessions: "2" }, targetId: ada.id });
  });

  it("counts only the sessions that were listed, and records nothing where there were none", async () => {
    const ada = await addUser("ada");
    const [here, live, old] = [await signIn(ada), await signIn(ada), await signIn(ada)];
    const expiresAt = sql`now() - interval '1 second'`;
    await query((db) => db.update(sessions).set({ expiresAt }).where(eq(sessions.id, old.actor.sessionId)));
    for (let count = 0; count < 2; count++) await send("DELETE", "account/sessions", { session: here.secret });
    expect(await isAlive(live.secret)).toBe(false);
    const ended = (await listAuditEvents({ limit: 100 })).filter(({ act }) => act === "sessions.ended");
    expect(ended).toMatchObject([{ detail: { sessions: "1" } }]);
  });

  it("leaves exactly one when all sessions do it concurrently", async () => {
    const ada = await addUser("ada");
    const secrets = await Promise.all(Array.from({ length: 8 }, async () => (await signIn(ada)).secret));
    const ask = async (session: string) => {
      const { status } = await send("DELETE", "account/sessions", { session });
      if (status !== 200) throw Object.assign(new Error(), { code: status });
    };
    const { done, refused } = await outcomes(secrets.map(ask));
    expect(done).toBe(1);
    expect(refused).toEqual(Array(7).fill(401));
    expect((await Promise.all(secrets.map(isAlive))).filter(Boolean)).toHaveLength(1);
  });
});
