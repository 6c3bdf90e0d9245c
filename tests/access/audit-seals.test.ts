import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AUDIT_SEAL_AFTER_SECONDS, AUDIT_SEAL_ROWS } from "#lib/access/access-limits.ts";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { deleteExpired } from "#lib/access/delete-expired.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { afterTest } from "../clean-up.ts";
import { useDatabase } from "../database.ts";
import { addEvents, execute, seals } from "./audit-rows.ts";
import { planOf, type Statement, statementsOf } from "./statements.ts";

// Small batches, so that a test of several ones is quick.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return { ...limits, AUDIT_SEAL_ROWS: 10 };
});

useDatabase();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** 23 events of yesterday, sealed in three batches. */
async function sealThreeBatches(): Promise<void> {
  await execute(sql`
    insert into audit_events (id, at, act, actor_name, detail)
    select gen_random_uuid(), date_trunc('day', now(), 'UTC') - interval '1 day' + n * interval '10 seconds', 'login',
      'operator', jsonb_build_object('n', n::text)
    from generate_series(1, 23) as n`);
  await sealAuditTrail();
}

describe("the seals of the audit trail", () => {
  it("cover every event that has settled exactly once, and link the batches", async () => {
    await sealThreeBatches();
    await addEvents({ count: 3, age: "0 seconds" });
    expect((await seals()).map(({ sequence, rows }) => [sequence, rows])).toEqual([
      [1, AUDIT_SEAL_ROWS],
      [2, AUDIT_SEAL_ROWS],
      [3, 3],
    ]);
    const { fault, sealed, pruned, unsealed, head } = await verifyAuditTrail();
    expect({ fault, pruned, unsealed }).toEqual({ fault: undefined, pruned: undefined, unsealed: 3 });
    expect(sealed).toMatchObject({ batches: 3, rows: 23 });
    expect(head).toMatchObject({ sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await sealAuditTrail();
    expect(await seals()).toHaveLength(3);
  });

  it("leave out events that are so new that an older one may still be committed", async () => {
    await addEvents({ count: 1, age: `${AUDIT_SEAL_AFTER_SECONDS - 60} seconds` });
    await sealAuditTrail();
    expect(await seals()).toEqual([]);
    expect(await verifyAuditTrail()).toMatchObject({ fault: undefined, unsealed: 1, head: undefined });
    await addEvents({ count: 1, age: `${AUDIT_SEAL_AFTER_SECONDS + 1} seconds` });
    await deleteExpired();
    expect((await seals()).map(({ rows }) => rows)).toEqual([1]);
  });

  it("are made in the hourly clean-up even if that fails in another table, which is told", async () => {
    await addEvents({ count: 1, age: "1 hour" });
    await execute(sql`insert into throttle (key, empty_at) values ('x', now() - interval '1 hour')`);
    await execute(sql`alter table sessions rename to sessions_away`);
    afterTest(() => execute(sql`alter table if exists sessions_away rename to sessions`));
    await expect(deleteExpired()).rejects.toMatchObject({ sqlState: "42P01" });
    expect((await seals()).map(({ rows }) => rows)).toEqual([1]);
    expect(await execute(sql`select 1 from throttle`)).toHaveLength(0);
    await execute(sql`alter table devices rename to devices_away`);
    afterTest(() => execute(sql`alter table if exists devices_away rename to devices`));
    await expect(deleteExpired()).rejects.toThrow(/"sessions".*"devices"/);
  });

  it("have the time of the database, whatever the clock of the server says", async () => {
    await addEvents({ count: 1, age: "1 hour" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7_200_000 });
    await sealAuditTrail();
    vi.useRealTimers();
    const { fault, head } = await verifyAuditTrail();
    expect(fault).toBeUndefined();
    expect(Math.abs(Number(head?.sealedAt) - Date.now())).toBeLessThan(3_600_000);
  });

  it("are made once when many replicas seal and prune at the same moment", async () => {
    vi.stubEnv("SERVICE_AUDIT_DAYS", "5");
    for (const age of ["10 days", "3 days", "20 minutes"]) await addEvents({ count: 30, age });
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 4 }, () => deleteExpired()));
    const { fault, sealed, pruned, unsealed } = await verifyAuditTrail();
    expect([fault, pruned?.rows, sealed?.rows, unsealed]).toEqual([undefined, 30, 60, 0]);
    expect(await query((db) => db.$count(auditEvents))).toBe(60);
  });

  it("stop between two batches when the server stops", async () => {
    await addEvents({ count: 1, age: "1 day" });
    await expect(sealAuditTrail(AbortSignal.abort())).rejects.toThrow();
    expect(await seals()).toEqual([]);
  });

  it("are read and written through an index", async () => {
    await sealThreeBatches();
    await addEvents({ count: 10, age: "1 hour" });
    const statements = [
      ...(await statementsOf(() => sealAuditTrail())),
      ...(await statementsOf(() => verifyAuditTrail())),
    ].filter(({ text }) => /^select .* from "audit_events" .* order by/.test(text));
    expect(statements.length).toBeGreaterThan(3);
    for (const statement of statements) {
      const plan = await planOf(statement as Statement);
      expect(plan).toContain("audit_events_at");
      expect(plan).not.toMatch(/Seq Scan/);
    }
  });
});

describe("a verification", () => {
  /** The event in the middle of the second batch. */
  const MIDDLE = sql`(select id from audit_events order by at, id offset 15 limit 1)`;
  const OTHER = sql`(select id from audit_events order by at, id offset 16 limit 1)`;

  it.each<[string, string, ReturnType<typeof sql>]>([
    ["changed action", "changed", sql`update audit_events set act = 'logout' where id = ${MIDDLE}`],
    ["changed time", "changed", sql`update audit_events set at = at + interval '1 ms' where id = ${MIDDLE}`],
    ["changed actor", "changed", sql`update audit_events set actor_name = 'Operator' where id = ${MIDDLE}`],
    ["added actor", "changed", sql`update audit_events set actor_id = gen_random_uuid() where id = ${MIDDLE}`],
    ["added target type", "changed", sql`update audit_events set target_type = 'user' where id = ${MIDDLE}`],
    ["added target", "changed", sql`update audit_events set target_id = gen_random_uuid() where id = ${MIDDLE}`],
    ["added target name", "changed", sql`update audit_events set target_name = '' where id = ${MIDDLE}`],
    ["changed detail", "changed", sql`update audit_events set detail = detail || '{"n": "0"}' where id = ${MIDDLE}`],
    ["removed detail", "changed", sql`update audit_events set detail = null where id = ${MIDDLE}`],
    ["added address", "changed", sql`update audit_events set address = '192.0.2.9' where id = ${MIDDLE}`],
    ["added request", "changed", sql`update audit_events set request_id = 'x' where id = ${MIDDLE}`],
    ["changed id", "changed", sql`update audit_events set id = gen_random_uuid() where id = ${MIDDLE}`],
    ["removed event", "removed", sql`delete from audit_events where id = ${MIDDLE}`],
    [
      "inserted event",
      "inserted",
      sql`insert into audit_events (id, at, act) select gen_random_uuid(), at, act from audit_events where id = ${MIDDLE}`,
    ],
    [
      "pair of swapped events",
      "changed",
      sql`update audit_events set at = case id
          when ${MIDDLE} then (select at from audit_events where id = ${OTHER})
          else (select at from audit_events where id = ${MIDDLE}) end
        where id in (${MIDDLE}, ${OTHER})`,
    ],
  ])("names the batch with tampering: %s", async (_, kind, tampering) => {
    await sealThreeBatches();
    await execute(tampering);
    const { fault, sealed } = await verifyAuditTrail();
    expect(fault).toContain(kind);
    expect(fault).toContain("batch 2 (");
    expect(sealed?.batches).toBe(1);
  });

  it("notices an event between two batches, and one before the first", async () => {
    await sealThreeBatches();
    const insertAt = (at: ReturnType<typeof sql>) =>
      execute(
        sql`insert into audit_events (id, at, act) values ('ffffffff-0000-7000-8000-000000000000', ${at}, 'login')`,
      );
    const remove = () => execute(sql`delete from audit_events where id = 'ffffffff-0000-7000-8000-000000000000'`);
    await insertAt(sql`(select last_at from audit_seals where sequence = 1) + interval '1 ms'`);
    expect((await verifyAuditTrail()).fault).toContain("inserted into batch 2 (");
    await remove();
    await insertAt(sql`(select first_at from audit_seals where sequence = 1) - interval '400 days'`);
    expect((await verifyAuditTrail()).fault).toContain("inserted into batch 1 (");
    await remove();
    expect((await verifyAuditTrail()).fault).toBeUndefined();
  });

  it.each<[string, string, ReturnType<typeof sql>]>([
    ["the first seal is missing", "batch 1 is missing", sql`delete from audit_seals where sequence = 1`],
    ["a seal is missing", "batch 2 is missing", sql`delete from audit_seals where sequence = 2`],
    [
      "a range was changed",
      "batch 2 (",
      sql`update audit_seals set first_at = first_at - interval '1 ms' where sequence = 2`,
    ],
    ["a count was changed", "batch 2 (", sql`update audit_seals set rows = 999 where sequence = 2`],
    ["a date was changed", "batch 2 (", sql`update audit_seals set sealed_at = now() where sequence = 2`],
    ["a hash was changed", "batch 2 (", sql`update audit_seals set hash = rows_hash where sequence = 2`],
    [
      "a batch in the middle is called pruned",
      "batch 2 (",
      sql`update audit_seals set pruned_at = now() where sequence = 2`,
    ],
    [
      "a batch is called pruned and is not",
      "inserted",
      sql`update audit_seals set pruned_at = now() where sequence = 1`,
    ],
  ])("notices that %s", async (_, part, tampering) => {
    await sealThreeBatches();
    await execute(tampering);
    expect((await verifyAuditTrail()).fault).toContain(part);
  });

  it("finds a head that was kept, and misses it after the end was removed or sealed anew", async () => {
    await sealThreeBatches();
    const kept = (await verifyAuditTrail()).head?.hash;
    await addEvents({ count: 1, age: "15 minutes" });
    await sealAuditTrail();
    expect((await verifyAuditTrail(kept)).fault).toBeUndefined();
    await execute(sql`delete from audit_seals where sequence >= 3`);
    await execute(sql`update audit_events set actor_name = 'nobody' where at > (select max(last_at) from audit_seals)`);
    expect((await verifyAuditTrail()).fault).toBeUndefined();
    expect((await verifyAuditTrail(kept)).fault).toContain("expected hash");
    await sealAuditTrail();
    expect((await verifyAuditTrail()).fault).toBeUndefined();
    expect((await verifyAuditTrail(kept)).fault).toContain("expected hash");
  });
});

it("a seal stays valid when its events are written in another time zone or order of keys", async () => {
  await addEvents({ count: 1, age: "1 hour" });
  await sealAuditTrail();
  await execute(
    sql`update audit_events set detail = '{"name": "Ada", "role": "admin"}', at = at at time zone 'Asia/Tokyo' at time zone 'Asia/Tokyo'`,
  );
  expect((await verifyAuditTrail()).fault).toBeUndefined();
  const [event] = await query((db) => db.select().from(auditEvents));
  await query((db) =>
    db
      .update(auditEvents)
      .set({ detail: { name: "Ada" } })
      .where(eq(auditEvents.id, event?.id ?? "")),
  );
  expect((await verifyAuditTrail()).fault).toContain("changed");
});
