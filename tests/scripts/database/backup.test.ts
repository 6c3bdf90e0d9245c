import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { query } from "#lib/db/database.ts";
import { backup } from "#scripts/database/commands.ts";
import { addEvents } from "../../access/audit-rows.ts";
import { addUser } from "../../access/people.ts";
import { backupFile, insertThrottle, options, rowsOf, testFolder, useBackups } from "./backups.ts";

useBackups();

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

  it("follows no link that is there in place of its unfinished file", async () => {
    const victim = join(testFolder(), "victim");
    writeFileSync(victim, "kept");
    symlinkSync(victim, `${backupFile()}.unfinished`);
    await backup(options());
    expect(readFileSync(victim, "utf8")).toBe("kept");
    expect(lstatSync(backupFile()).isFile()).toBe(true);
  });

  it("leaves nothing behind when it is stopped", async () => {
    await addEvents({ count: 2_000, age: "1 hour" });
    await expect(backup({ ...options(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect([existsSync(backupFile()), existsSync(`${backupFile()}.unfinished`)]).toEqual([false, false]);
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
