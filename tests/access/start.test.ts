import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bootstrapAdministrator } from "#lib/access/bootstrap.ts";
import { keepHouse } from "#lib/access/housekeeping.ts";
import { logIn } from "#lib/access/login.ts";
import { startAccess, stopAccess } from "#lib/access/start.ts";
import { recordRender } from "#lib/access/usage.ts";
import { configReport } from "#lib/config-report.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, sessions, throttle, usage } from "#lib/db/schema.ts";
import { captureLog } from "../captured-log.ts";
import { emptyDatabase, useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, listUsers, PASSWORD, signIn } from "./people.ts";

useDatabase();
afterEach(stopAccess);
afterEach(() => void vi.unstubAllEnvs());

function configure({ email, password }: { email?: string; password?: string }): void {
  vi.stubEnv("SERVICE_ADMIN_EMAIL", email);
  vi.stubEnv("SERVICE_ADMIN_PASSWORD", password);
}

describe("the first administrator", () => {
  it("is created from the environment, once, however many servers start at the same moment", async () => {
    configure({ email: " Root@Example.com", password: PASSWORD });
    for (let round = 0; round < 10; round++) {
      await emptyDatabase();
      await Promise.all(Array.from({ length: 10 }, bootstrapAdministrator));
    }
    const [admin, ...others] = await listUsers();
    expect(others).toEqual([]);
    expect(admin).toMatchObject({ email: "root@example.com", name: "Administrator", role: "admin", status: "active" });
    await logIn({ email: "root@example.com", password: PASSWORD, caller: CALLER });
    const acts = (await listAuditEvents({ limit: 10 })).map(({ act }) => act);
    expect(acts).toEqual(["login", "admin.bootstrapped"]);
  });

  it("is not created where there is any user, and nobody's password is changed", async () => {
    await addUser("ada");
    configure({ email: "ada@example.com", password: "another password" });
    const lines = captureLog();
    await bootstrapAdministrator();
    configure({});
    await bootstrapAdministrator();
    expect(lines).toEqual([]);
    expect(await listUsers()).toMatchObject([{ email: "ada@example.com", role: "user" }]);
    await signIn({ email: "ada@example.com" });
  });

  it("is asked for in one line of the log where nobody says who it is", async () => {
    configure({});
    const lines = captureLog();
    await bootstrapAdministrator();
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
    ["with an email no mail arrives at", { email: "a,b@example.com", password: PASSWORD }, "SERVICE_ADMIN_EMAIL"],
  ])("is not created %s, and the log says why without the password", async (_, given, variable) => {
    configure(given);
    const lines = captureLog();
    await bootstrapAdministrator();
    expect(await listUsers()).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable);
    for (const value of [PASSWORD, "shortsecret", "xxxx", "not-an-email"]) expect(lines[0]).not.toContain(value);
  });

  it("is checked at start, where the access layer is on", () => {
    configure({ email: "not-an-email", password: "shortsecret" });
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    expect(configReport().access).toEqual([
      {
        variable: "SERVICE_ADMIN_EMAIL",
        message: "got 12 characters, want an email address such as admin@example.com",
      },
      { variable: "SERVICE_ADMIN_PASSWORD", message: "got 11 characters, want 12 to 256" },
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

describe("housekeeping", () => {
  it("deletes what has had its time, and nothing else", async () => {
    const { actor } = await signIn(await addUser("ada"));
    await signIn(actor.user);
    await query((db) => db.update(sessions).set({ expiresAt: sql`now()` }).where(sql`id <> ${actor.sessionId}`));
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
    await keepHouse();
    expect(await query((db) => db.select({ id: sessions.id }).from(sessions))).toEqual([{ id: actor.sessionId }]);
    expect(await query((db) => db.select({ key: throttle.key }).from(throttle))).toMatchObject([{ key: "filled" }]);
    expect((await listAuditEvents({ limit: 10 })).map(({ act }) => act)).toEqual(["364"]);
    expect(await query((db) => db.select({ template: usage.template }).from(usage))).toEqual([{ template: "399" }]);
  });

  it("keeps the trail as long as it is told, and for good while that is unclear", async () => {
    await query((db) =>
      db.insert(auditEvents).values({ id: crypto.randomUUID(), act: "old", at: sql`now() - interval '500 days'` }),
    );
    vi.stubEnv("SERVICE_AUDIT_DAYS", "1000");
    await keepHouse();
    vi.stubEnv("SERVICE_AUDIT_DAYS", "a while");
    await keepHouse();
    expect(await listAuditEvents({ limit: 10 })).toHaveLength(1);
    vi.stubEnv("SERVICE_AUDIT_DAYS", "30");
    await keepHouse();
    expect(await listAuditEvents({ limit: 10 })).toEqual([]);
  });

  it("deletes more than one batch", async () => {
    await query((db) =>
      db.execute(sql`
      insert into throttle select 'old-' || i, now() - interval '1 hour' from generate_series(1, 12000) i`),
    );
    await keepHouse();
    expect(await query((db) => db.$count(throttle))).toBe(0);
  });
});

describe("the access layer", () => {
  it("begins with the server, and tries again until the database is there, which it says once", async () => {
    configure({ email: "root@example.com", password: PASSWORD });
    const lines = captureLog();
    await query((db) => db.execute(sql`alter table users rename to users_away`));
    startAccess();
    startAccess();
    await expect.poll(() => lines.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(lines).toHaveLength(1);
    await query((db) => db.execute(sql`alter table users_away rename to users`));
    await expect.poll(async () => (await listUsers()).length, { timeout: 5_000 }).toBe(1);
    await expect.poll(() => lines.length).toBe(3);
  });

  it("writes what was counted when it stops, and stops in the middle of waiting", async () => {
    const { actor } = await signIn(await addUser("ada"));
    startAccess();
    recordRender({ actor, template: "a" });
    await stopAccess();
    expect(await query((db) => db.$count(usage))).toBe(1);
    await stopAccess();
  });
});
