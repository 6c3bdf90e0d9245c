import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { updateUser } from "#lib/access/users.ts";
import { Connection } from "#lib/db/connection.ts";
import { query } from "#lib/db/database.ts";
import { appliedMigrations, readMigrations } from "#lib/db/migrations.ts";
import { users } from "#lib/db/schema.ts";
import { addEvents } from "#tests/access/audit-rows.ts";
import { addUser, CALLER, OPERATOR, outcomes } from "#tests/access/people.ts";
import { useDatabase } from "#tests/database.ts";
import { connectAs } from "./connect-as.ts";

useDatabase();

it("the last administrator stays, whatever isolation the role has for transactions", async () => {
  await connectAs("one_snapshot", "set default_transaction_isolation = 'repeatable read'");
  const ids = [(await addUser("a", "admin")).id, (await addUser("b", "admin")).id];
  for (let round = 0; round < 5; round++) {
    const demote = (id: string) => updateUser({ actor: OPERATOR, id, changes: { role: "user" }, caller: CALLER });
    expect(await outcomes(ids.map(demote))).toEqual({ done: 1, refused: ["last_admin"] });
    await query((db) => db.update(users).set({ role: "admin" }));
  }
});

it("times are read as they are, whatever format the role has for dates", async () => {
  await connectAs("germans", "set datestyle = 'SQL, DMY'");
  await addUser("ada");
  const at = new Date("2026-03-04T05:06:07.089Z");
  await query((db) => db.execute(sql`update users set created_at = ${at.toISOString()}::timestamptz`));
  expect(await query((db) => db.select({ createdAt: users.createdAt }).from(users))).toEqual([{ createdAt: at }]);
});

it("the seals of the audit trail are right, whatever format the role has for bytes", async () => {
  await addEvents({ count: 3, age: "1 hour" });
  await addEvents({ count: 3, age: "2 days" });
  await connectAs("escapes_bytes", "set bytea_output = 'escape'");
  await sealAuditTrail();
  expect(await verifyAuditTrail()).toMatchObject({ fault: undefined, sealed: { rows: 6 } });
});

it("the migrations are known, however few digits of a number the role shows", async () => {
  await query((db) => db.execute(sql`select 1`));
  await connectAs("rounds_numbers", "set extra_float_digits = -10");
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  onTestFinished(() => connection.close());
  const known = readMigrations().map(({ at }) => at);
  expect(known).toEqual(expect.arrayContaining(await appliedMigrations(connection)));
});
