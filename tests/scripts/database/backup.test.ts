import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { pruneAuditTrail } from "#lib/access/audit/prune-trail.ts";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { query } from "#lib/db/database.ts";
import { findEmbedded } from "#lib/db/embedded/folder-lock.ts";
import { readSnapshot } from "#lib/db/transfer/read-tables.ts";
import { ownerTag } from "#lib/processes.ts";
import { backup, restore, verify } from "#scripts/database/commands.ts";
import { withEmbedded } from "#scripts/database/connect.ts";
import { addEvents } from "../../access/audit-rows.ts";
import { addUser } from "../../access/people.ts";
import { backupFile, expectOneOfThree, insertThrottle, options, rowsOf, testFolder, useBackups } from "./backups.ts";

useBackups();

/** Files of backups that are not complete. */
const leftovers = () =>
  readdirSync(testFolder())
    .filter((name) => name.endsWith(".unfinished"))
    .map((name) => join(testFolder(), name));

describe("npm run database -- backup", () => {
  it("holds every row that was acknowledged before, and none without those before it, while others write", async () => {
    await addEvents({ count: 3_000, age: "1 hour" });
    let acknowledged = 0;
    let isOver = false;
    const writing = (async () => {
      for (; !isOver; acknowledged++) await insertThrottle(`${acknowledged}`.padStart(6, "0"));
    })();
    await vi.waitUntil(() => acknowledged > 20, { timeout: 60_000 });
    const before = acknowledged;
    await backup(options());
    isOver = true;
    await writing;
    const kept = rowsOf("throttle").map(([key]) => Number(key));
    expect(kept.length).toBeGreaterThanOrEqual(before);
    expect(kept.toSorted((one, other) => one - other)).toEqual(kept.map((_, index) => index));
    expect(rowsOf("audit_events")).toHaveLength(3_000);
    expect(await query((db) => db.execute(sql`select name from pg_cursors where name like 'platen%'`))).toEqual([]);
  });

  it("copies no event of the audit trail aside, and has all that were there when it began, and no later ones", async () => {
    await addEvents({ count: 2_500, age: "40 days" });
    await sealAuditTrail();
    await withEmbedded(options(), async (connection) => {
      const parts = readSnapshot(connection);
      const first = [await parts.next(), await parts.next(), await parts.next()].map(({ value }) => value);
      const cursors = await query((db) => db.execute(sql`select name from pg_cursors where name like '%audit_events'`));
      await pruneAuditTrail(30);
      await addEvents({ count: 10, age: "1 second" });
      await pruneAuditTrail(30);
      const all = [...first];
      for await (const part of parts) all.push(part);
      const events = all
        .flatMap((part) => ("rows" in part ? part.rows : []))
        .filter(([, , act]) => act === "user.updated");
      expect([cursors.length, new Set(events.map(([id]) => id)).size, events.length]).toEqual([0, 2_500, 2_500]);
    });
    await pruneAuditTrail(30);
    expect(await query((db) => db.execute(sql`select count(*)::int as left from audit_events`))).toEqual([
      { left: 10 },
    ]);
  });

  it("saves the database that a server of another container serves, while a restore is refused", async () => {
    await addUser("ada");
    const dir = join(testFolder(), "database");
    const claim = join(dir, readdirSync(dir).find((name) => name.endsWith(".json")) ?? "");
    const elsewhere = { ...JSON.parse(readFileSync(claim, "utf8")), owner: "1-7-7", boot: "another" };
    writeFileSync(claim, JSON.stringify(elsewhere));
    await backup(options());
    expect(rowsOf("users")).toHaveLength(1);
    await expect(restore({ ...options(), isReplacing: true })).rejects.toThrow("A server uses the embedded database");
  });

  it("waits for a process that has the database and does not serve it yet, unless it is stopped", async () => {
    await addUser("ada");
    const socket = findEmbedded(join(testFolder(), "database"));
    renameSync(socket, `${socket}.later`);
    const stopped = AbortSignal.abort();
    await expect(backup({ ...options(), signal: stopped })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
    const reports: string[] = [];
    const report = (message: string) => {
      reports.push(message);
      renameSync(`${socket}.later`, socket);
    };
    await backup({ ...options(), report });
    expect(reports).toEqual(["Waiting for a process that opens or closes the embedded database …"]);
    expect(rowsOf("users")).toHaveLength(1);
  });

  it("writes a file for its user alone, and never over another", async () => {
    await addUser("ada");
    expect(await backup(options())).toMatch(
      /^Wrote .*platen\.backup \([\d,]+ bytes\) with [\d,]+ rows:\n(?:.*\n)* {2}users: 1\n/,
    );
    expect(statSync(backupFile()).mode & 0o777).toBe(0o600);
    await expect(backup(options())).rejects.toThrow("is there already");
    const elsewhere = { ...options(), file: join(testFolder(), "no", "platen.backup") };
    await expect(backup(elsewhere)).rejects.toThrow("There is no folder");
  });

  it("gives one of several at once the name, and the others end with an error", async () => {
    await addEvents({ count: 2_000, age: "1 hour" });
    await expectOneOfThree();
    expect(await verify(options())).toContain("audit_events: 2,000");
    expect(leftovers()).toEqual([]);
  });

  it("removes what a killed one has left, and nothing of one that still runs or that it may not remove", async () => {
    const [ended = 0, running] = [spawnSync("true").pid, ownerTag()];
    const dead = running.replace(/-\d+-/, `-${ended}-`);
    const nameOf = (tag: string, number: string) => `${backupFile()}.${tag}.0000000${number}.unfinished`;
    for (const tag of [dead, running]) writeFileSync(nameOf(tag, "0"), "");
    // Of a backup of another day.
    writeFileSync(join(testFolder(), `earlier.gz.${dead}.00000000.unfinished`), "");
    mkdirSync(nameOf(dead, "1"));
    await backup(options());
    expect(leftovers().toSorted()).toEqual([nameOf(dead, "1"), nameOf(running, "0")].toSorted());
  });

  it("leaves nothing behind when it is stopped", async () => {
    await addEvents({ count: 2_000, age: "1 hour" });
    await expect(backup({ ...options(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect([existsSync(backupFile()), leftovers()]).toEqual([false, []]);
  });

  it("says what to do with PostgreSQL, and where there is no database", async () => {
    vi.stubEnv("SERVICE_DATABASE_DIR", join(testFolder(), "nothing"));
    await expect(backup(options())).rejects.toThrow("There is no embedded database in");
    vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:1/platen");
    await expect(backup(options())).rejects.toThrow("Use pg_dump");
  });

  it("saves every table, and there are no sequences that it would miss", async () => {
    const sequences = sql`select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`;
    expect(await query((db) => db.execute(sequences))).toEqual([]);
  });
});
