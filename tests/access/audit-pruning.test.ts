import { sql } from "drizzle-orm";
import { NoopLogger } from "drizzle-orm/logger";
import { afterEach, describe, expect, it, type MockInstance, onTestFinished, vi } from "vitest";
import { pruneAuditTrail } from "#lib/access/audit/prune-trail.ts";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { addEvents, execute, seals } from "./audit-rows.ts";

// Small batches, so that a test of several ones is quick.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return { ...limits, AUDIT_SEAL_ROWS: 10 };
});

vi.mock("#lib/access/audit/seal.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("#lib/access/audit/seal.ts")>()),
  SEALS_AT_ONCE: 1,
}));

useDatabase();
afterEach(() => void vi.unstubAllEnvs());

/** Does something once, beside the first statement of this test that matches. @returns waits until it is done */
function whenSent(statement: RegExp, act: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  const statements = vi.spyOn(NoopLogger.prototype, "logQuery" as never) as unknown as MockInstance;
  statements.mockImplementation((text: string) => {
    if (statement.test(text)) done ??= act();
  });
  onTestFinished(() => void statements.mockRestore());
  return async () => await done;
}

describe("pruning", () => {
  it("deletes whole batches, keeps their seals, and lets a verification begin after them", async () => {
    for (const age of ["40 days", "31 days", "29 days", "20 minutes"]) await addEvents({ count: 10, age });
    await sealAuditTrail();
    const before = await verifyAuditTrail();
    await pruneAuditTrail(30);
    const { fault, pruned, sealed, head } = await verifyAuditTrail(before.head?.hash);
    expect([fault, pruned?.rows, sealed?.rows]).toEqual([undefined, 20, 20]);
    expect(head).toEqual(before.head);
    expect(await query((db) => db.$count(auditEvents))).toBe(20);
    const [oldest] = await seals();
    expect(oldest?.prunedAt).toBeInstanceOf(Date);
    await execute(
      sql`insert into audit_events (id, at, act) values (gen_random_uuid(), now() - interval '35 days', 'login')`,
    );
    expect((await verifyAuditTrail()).fault).toMatch(/^Entries were inserted before .* pruned\.$/);
  });

  it("leaves everything that is not sealed", async () => {
    await addEvents({ count: 1, age: "40 days" });
    await pruneAuditTrail(30);
    expect(await query((db) => db.$count(auditEvents))).toBe(1);
  });

  it("during a verification is no fault", async () => {
    for (const age of ["40 days", "1 day"]) await addEvents({ count: 5, age });
    await sealAuditTrail();
    const pruned = whenSent(/^select .* from "audit_seals"/, () => pruneAuditTrail(30));
    const { fault } = await verifyAuditTrail();
    await pruned();
    expect([fault, await query((db) => db.$count(auditEvents))]).toEqual([undefined, 5]);
  });

  it("of a batch that was verified and of the next one, whose seal is read after it, is no fault", async () => {
    for (const age of ["40 days", "35 days"]) await addEvents({ count: 10, age });
    await sealAuditTrail();
    // In one statement, so that the next read sees all of it.
    const pruned = whenSent(/^select .* from "audit_events"/, () =>
      execute(sql`with gone as (delete from audit_events) update audit_seals set pruned_at = now()`),
    );
    const { fault } = await verifyAuditTrail();
    await pruned();
    expect(fault).toBeUndefined();
  });

  it("event by event, as earlier versions do, is no fault while the batch is due", async () => {
    vi.stubEnv("SERVICE_AUDIT_DAYS", "30");
    for (const age of ["30 days", "29 days 23 hours", "20 minutes"]) await addEvents({ count: 2, age });
    await sealAuditTrail();
    await execute(sql`delete from audit_events where at < now() - interval '30 days'`);
    expect(await verifyAuditTrail()).toMatchObject({ fault: undefined, partlyPruned: 1 });
    vi.stubEnv("SERVICE_AUDIT_DAYS", "365");
    expect((await verifyAuditTrail()).fault).toContain("removed");
  });
});
