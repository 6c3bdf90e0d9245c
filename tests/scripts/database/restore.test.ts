import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { findSession } from "#lib/access/sessions.ts";
import { query } from "#lib/db/database.ts";
import type { Part } from "#lib/db/transfer/parts.ts";
import { backup, restore, verify } from "#scripts/database/commands.ts";
import { addEvents } from "../../access/audit-rows.ts";
import { addToken, addUser, listUsers, signIn, tokenState } from "../../access/people.ts";
import {
  backupFile,
  options,
  readParts,
  serveForTest,
  useBackups,
  useOther,
  withTotals,
  writeParts,
} from "./backups.ts";

/** The time in the journal of the migration that composes the letters of emails. */
const COMPOSES_EMAILS = 1_795_394_400_000;

useBackups();

describe("npm run database -- restore", () => {
  it("brings back sessions, tokens, unusual texts and the seals of the audit trail", async () => {
    const ada = await addUser("ada", "admin");
    const { secret, actor } = await signIn(ada);
    const { token } = await addToken(actor);
    await query((db) => db.execute(sql`update users set name = ${"a\u2028b \\ \"c\" 'd' null 🖼\n"}`));
    await addEvents({ count: 1_500, age: "2 hours" });
    await sealAuditTrail();
    const [users, trail] = [await listUsers(), await verifyAuditTrail()];
    expect(trail).toMatchObject({ fault: undefined, sealed: { rows: 1_500 } });
    await backup(options());
    expect(await verify(options())).toContain("is whole");
    const other = await useOther();
    expect(await restore(options())).toContain("audit_events: 1,5");
    await serveForTest(other);
    expect(await listUsers()).toEqual(users);
    expect(await findSession(secret)).toBeDefined();
    expect(await tokenState(token)).toBe("valid");
    expect(await verifyAuditTrail(trail.head?.hash)).toEqual(trail);
    const first = readParts();
    rmSync(backupFile());
    await backup(options());
    expect(readParts().at(-1)).toEqual(first.at(-1));
  });

  it("replaces rows only when that is wanted, and all of them", async () => {
    await addUser("ada");
    await backup(options());
    await expect(restore(options(true))).rejects.toThrow("A server uses the embedded database");
    const other = await useOther();
    await restore(options());
    await expect(restore(options())).rejects.toThrow("has rows already, in audit_events, users. Add --overwrite");
    await restore(options(true));
    await expect(restore({ ...options(true), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    await serveForTest(other);
    expect((await listUsers()).map(({ email }) => email)).toEqual(["ada@example.com"]);
  });

  it("refuses a file that is cut off, changed or something else, before it opens a database", async () => {
    await addUser("ada");
    await backup(options());
    const whole = readFileSync(backupFile());
    const parts = readParts();
    const other = await useOther();
    const refusal = async () => await restore(options()).then(String, (error: Error) => error.message);
    writeFileSync(backupFile(), whole.subarray(0, -20));
    expect(await refusal()).toMatch(/cannot be restored: it is cut off\. Use another backup\./);
    writeFileSync(backupFile(), gzipSync(Buffer.concat([gunzipSync(whole), Buffer.from("é").subarray(0, 1)])));
    expect(await refusal()).toMatch(/its bytes were changed/);
    writeFileSync(backupFile(), "PGDMP");
    expect(await refusal()).toMatch(/it is no gzip file/);
    writeParts(parts.slice(0, -1));
    expect(await refusal()).toMatch(/its end is missing/);
    writeParts(JSON.parse(JSON.stringify(parts).replaceAll("ada@example.com", "eve@example.com")));
    expect(await refusal()).toMatch(/the rows of "\w+" are not those that were written/);
    writeParts([...parts, { rows: [] }]);
    expect(await refusal()).toMatch(/its lines are not in their order/);
    rmSync(backupFile());
    expect(await refusal()).toMatch(/There is no file/);
    mkdirSync(backupFile());
    expect(await refusal()).toMatch(/is a folder\. Name the file of a backup\./);
    expect(readdirSync(other)).toEqual(["data"]);
  });

  it("refuses names that are no tables and columns of Platen, and lines that no backup has", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    await useOther();
    const refusal = async () => await restore(options()).then(String, (error: Error) => error.message);
    const renamed = (from: RegExp, to: string): Part[] => JSON.parse(JSON.stringify(parts).replaceAll(from, () => to));
    for (const name of ['id\\") select pg_sleep(9) --', "\\u001b[2J", "Id"]) {
      writeParts(withTotals(renamed(/"id"/g, `"${name}"`)));
      expect(await refusal()).toMatch(/^[ -~]* line \d+ is not a part of a backup [ -~]*$/);
      writeParts(withTotals(renamed(/"users"/g, `"${name}"`)));
      expect(await refusal()).toMatch(/^[ -~]* line \d+ is not a part of a backup [ -~]*$/);
    }
    writeParts(withTotals(renamed(/"users"/g, '"pg_class"')));
    expect(await refusal()).toMatch(/There is no table "pg_class"/);
    writeParts(renamed(/"platen":"[^"]*"/g, '"platen":"\\u001b[2J"'));
    expect(await refusal()).toMatch(/^[ -~]* line 1 is not a part of a backup [ -~]*$/);
    writeFileSync(backupFile(), gzipSync(Buffer.alloc(100_000_000, "[")));
    expect(await refusal()).toMatch(/it has a line that no backup has/);
  });

  it("leaves the database as it was when a row cannot be loaded", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    const other = await useOther();
    await restore(options());
    // A role that no user has, with the totals of such a row.
    const broken: Part[] = JSON.parse(JSON.stringify(parts).replaceAll('"user","active"', '"king","active"'));
    writeParts(withTotals(broken));
    await expect(restore(options(true))).rejects.toThrow(/users_role_known/);
    writeParts(parts.map((part) => ("table" in part ? { ...part, columns: part.columns.with(0, "no_such") } : part)));
    await expect(restore(options(true))).rejects.toThrow(/has no column "no_such"/);
    await serveForTest(other);
    expect((await listUsers()).map(({ role }) => role)).toEqual(["user"]);
  });

  it("brings rows of an earlier version to this one, and refuses those of a later one", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    const head = parts[0] as Extract<Part, { migrations: number[] }>;
    const decomposed: Part[] = JSON.parse(JSON.stringify(parts).replaceAll("ada@example.com", "zoe\u0301@example.com"));
    const other = await useOther();
    writeParts(withTotals([{ ...head, migrations: [...head.migrations, 9_999_999_999_999] }, ...parts.slice(1)]));
    await expect(restore(options())).rejects.toThrow("of a newer version of Platen");
    const earlier = head.migrations.filter((at) => at < COMPOSES_EMAILS);
    writeParts(withTotals([{ ...head, migrations: earlier }, ...decomposed.slice(1)]));
    await restore(options());
    await serveForTest(other);
    expect((await listUsers()).map(({ email }) => email)).toEqual(["zoé@example.com"]);
  });
});
