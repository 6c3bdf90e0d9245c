import { sql } from "drizzle-orm";
import { NoopLogger } from "drizzle-orm/logger";
import { afterEach, describe, expect, it, type MockInstance, onTestFinished, vi } from "vitest";
import { deleteExpired } from "#lib/access/delete-expired.ts";
import { createFirstAdministrator } from "#lib/access/first-administrator.ts";
import { logIn } from "#lib/access/login.ts";
import { accessAttempted, accessBegun, hasAccessBegun, startAccess, stopAccess } from "#lib/access/start.ts";
import { recordRender } from "#lib/access/usage.ts";
import { configReport } from "#lib/config-report.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, sessions, throttle, usage } from "#lib/db/schema.ts";
import { captureLog } from "../captured-log.ts";
import { emptyDatabase, useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, listUsers, PASSWORD, signIn } from "./people.ts";

/** The pause between attempts to start, and how many there were. */
const retry = vi.hoisted(() => ({ ms: 10, pauses: 0 }));

// So that a test of the retries does not wait for seconds.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return {
    ...limits,
    ARGON2: { ...limits.ARGON2, memoryCost: 64 },
    CLEANUP_RETRY_MS: 10,
    get START_RETRY_MS() {
      retry.pauses++;
      return retry.ms;
    },
  };
});

useDatabase();
afterEach(stopAccess);
afterEach(() => void vi.unstubAllEnvs());

function configure({ email, password }: { email?: string; password?: string }): void {
  vi.stubEnv("SERVICE_ADMIN_EMAIL", email);
  vi.stubEnv("SERVICE_ADMIN_PASSWORD", password);
}

describe("the first administrator", () => {
  it("is created once from the environment when ten servers start at the same moment", async () => {
    configure({ email: " Root@Example.com", password: PASSWORD });
    for (let round = 0; round < 3; round++) {
      await emptyDatabase();
      await Promise.all(Array.from({ length: 10 }, createFirstAdministrator));
    }
    const [admin, ...others] = await listUsers();
    expect(others).toEqual([]);
    expect(admin).toMatchObject({ email: "root@example.com", name: "Administrator", role: "admin", status: "active" });
    await logIn({ email: "root@example.com", password: PASSWORD, caller: CALLER });
    const acts = (await listAuditEvents({ limit: 10 })).map(({ act }) => act);
    expect(acts).toEqual(["login", "admin.bootstrapped"]);
  });

  it("is not created when there is a user, and no password is changed", async () => {
    await addUser("ada", "admin");
    configure({ email: "ada@example.com", password: "another password" });
    const lines = captureLog();
    await createFirstAdministrator();
    configure({});
    await createFirstAdministrator();
    expect(lines).toEqual([]);
    expect(await listUsers()).toMatchObject([{ email: "ada@example.com", role: "admin" }]);
    await signIn({ email: "ada@example.com" });
  });

  it("is asked for where the first user is none, which leaves the environment without effect", async () => {
    await addUser("ada");
    configure({ email: "root@example.com", password: PASSWORD });
    const lines = captureLog();
    await createFirstAdministrator();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("npm run users -- set-role <email> admin");
    expect(await listUsers()).toMatchObject([{ email: "ada@example.com", role: "user" }]);
  });

  it("is asked for in one log line when the environment names none", async () => {
    configure({});
    const lines = captureLog();
    await createFirstAdministrator();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("npm run users -- create <email> --admin");
    expect(await listUsers()).toEqual([]);
  });

  it.each([
    ["without a password", { email: "root@example.com" }, "SERVICE_ADMIN_PASSWORD"],
    ["without an email", { password: PASSWORD }, "SERVICE_ADMIN_EMAIL"],
    ["with a short password", { email: "root@example.com", password: "shortsecret" }, "SERVICE_ADMIN_PASSWORD"],
    ["with a long password", { email: "root@example.com", password: "x".repeat(257) }, "SERVICE_ADMIN_PASSWORD"],
    ["with a bad email", { email: "not-an-email", password: PASSWORD }, "SERVICE_ADMIN_EMAIL"],
    ["with an email that is no address", { email: "a,b@example.com", password: PASSWORD }, "SERVICE_ADMIN_EMAIL"],
  ])("is not created %s, and the log says why without the password", async (_, given, variable) => {
    configure(given);
    const lines = captureLog();
    await createFirstAdministrator();
    expect(await listUsers()).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable);
    for (const value of [PASSWORD, "shortsecret", "xxxx", "not-an-email"]) expect(lines[0]).not.toContain(value);
  });

  it("is part of the configuration report when the access layer is on", () => {
    configure({ email: "not-an-email", password: "shortsecret" });
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    expect(configReport().access).toEqual([
      {
        variable: "SERVICE_ADMIN_EMAIL",
        message: "got 12 characters, want an email address such as admin@example.com",
      },
      {
        variable: "SERVICE_ADMIN_PASSWORD",
        message: "got 11 characters, want 12 to 256, without white space at either end",
      },
    ]);
    vi.stubEnv("SERVICE_AUDIT_DAYS", "365");
    expect(configReport().unknown).toEqual([]);
    configure({ email: "root@example.com" });
    expect(configReport().access).toEqual([
      { variable: "SERVICE_ADMIN_PASSWORD", message: "got nothing, want both or neither" },
    ]);
    vi.stubEnv("SERVICE_AUTH_ENABLED", "");
    expect(configReport().access).toEqual([]);
  });
});

describe("the clean-up", () => {
  it("deletes expired rows and nothing else", async () => {
    const { actor } = await signIn(await addUser("ada"));
    await signIn(actor.user);
    await query((db) => db.update(sessions).set({ expiresAt: sql`now()` }).where(sql`id <> ${actor.sessionId}`));
    await query((db) => db.delete(throttle));
    await query((db) =>
      db.insert(throttle).values([
        { key: "empty", emptyAt: sql`now() - interval '1 second'` },
        { key: "filled", emptyAt: sql`now() + interval '1 minute'` },
      ]),
    );
    await query((db) => db.execute(sql`delete from audit_events`));
    for (const days of [364, 366])
      await query((db) =>
        db.insert(auditEvents).values({
          id: crypto.randomUUID(),
          act: `${days}`,
          at: sql`now() - ${days} * interval '1 day'`,
        }),
      );
    for (const days of [399, 401])
      await query((db) =>
        db.insert(usage).values({
          day: sql`current_date - ${days}::integer`,
          userId: actor.user.id,
          template: `${days}`,
          renders: 1,
        }),
      );
    await deleteExpired();
    expect(await query((db) => db.select({ id: sessions.id }).from(sessions))).toEqual([{ id: actor.sessionId }]);
    expect(await query((db) => db.select({ key: throttle.key }).from(throttle))).toMatchObject([{ key: "filled" }]);
    expect((await listAuditEvents({ limit: 10 })).map(({ act }) => act)).toEqual(["364"]);
    expect(await query((db) => db.select({ template: usage.template }).from(usage))).toEqual([{ template: "399" }]);
  });

  it("keeps audit events for SERVICE_AUDIT_DAYS, and deletes none while that value is invalid", async () => {
    await query((db) =>
      db.insert(auditEvents).values({ id: crypto.randomUUID(), act: "old", at: sql`now() - interval '500 days'` }),
    );
    vi.stubEnv("SERVICE_AUDIT_DAYS", "1000");
    await deleteExpired();
    vi.stubEnv("SERVICE_AUDIT_DAYS", "a while");
    await deleteExpired();
    expect(await listAuditEvents({ limit: 10 })).toHaveLength(1);
    vi.stubEnv("SERVICE_AUDIT_DAYS", "30");
    await deleteExpired();
    expect(await listAuditEvents({ limit: 10 })).toEqual([]);
  });

  it("deletes more than one batch", async () => {
    await query((db) =>
      db.execute(sql`
      insert into throttle select 'old-' || i, now() - interval '1 hour' from generate_series(1, 10001) i`),
    );
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(deleteExpired(stopped), "a stop does not wait for all of them").rejects.toThrow("stopped");
    expect(await query((db) => db.$count(throttle))).toBe(10_001);
    await deleteExpired();
    expect(await query((db) => db.$count(throttle))).toBe(0);
  });
});

describe("the access layer", () => {
  it("starts again and again until the database answers, and logs the outage once", async () => {
    configure({ email: "root@example.com", password: PASSWORD });
    const lines = captureLog();
    await query((db) => db.execute(sql`alter table users rename to users_away`));
    onTestFinished(() =>
      query((db) => db.execute(sql`alter table if exists users_away rename to users`)).then(() => {}),
    );
    startAccess();
    startAccess();
    await accessAttempted();
    expect(hasAccessBegun()).toBe(false);
    const attempts: MockInstance = vi.spyOn(NoopLogger.prototype, "logQuery" as never);
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(3);
    attempts.mockRestore();
    expect(lines).toHaveLength(1);
    await query((db) => db.execute(sql`alter table users_away rename to users`));
    await accessBegun();
    expect(hasAccessBegun()).toBe(true);
    expect(await listUsers()).toHaveLength(1);
    expect(lines).toHaveLength(3);
  });

  it("cleans up soon after a time when that failed, and not an hour later", async () => {
    const lines = captureLog();
    await query((db) => db.execute(sql`insert into throttle values ('old', now() - interval '1 hour')`));
    await query((db) => db.execute(sql`alter table throttle rename to throttle_away`));
    const bringBack = () => query((db) => db.execute(sql`alter table if exists throttle_away rename to throttle`));
    onTestFinished(() => bringBack().then(() => {}));
    startAccess();
    await expect.poll(() => lines.join()).toContain("Expired rows could not be deleted");
    await bringBack();
    await expect.poll(() => query((db) => db.$count(throttle))).toBe(0);
  });

  it("logs nothing of a first attempt that fails: the start may keep the machine busy", async () => {
    const lines = captureLog();
    Object.assign(retry, { ms: 1_000_000, pauses: 0 });
    onTestFinished(() => void Object.assign(retry, { ms: 10 }));
    await query((db) => db.execute(sql`alter table users rename to users_away`));
    onTestFinished(() => query((db) => db.execute(sql`alter table users_away rename to users`)).then(() => {}));
    configure({ email: "root@example.com", password: PASSWORD });
    startAccess();
    await expect.poll(() => retry.pauses).toBe(1);
    expect(lines).toEqual([]);
  });

  it("writes counted renders when it stops, and can be stopped twice", async () => {
    const { actor } = await signIn(await addUser("ada"));
    startAccess();
    recordRender({ actor, template: "a" });
    await stopAccess();
    expect(await query((db) => db.$count(usage))).toBe(1);
    await stopAccess();
  });
});
