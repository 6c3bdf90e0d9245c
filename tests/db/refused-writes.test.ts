import { sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import type { TokenActor } from "#lib/access/actor.ts";
import { noteTokenUse } from "#lib/access/tokens.ts";
import { checkDatabase } from "#lib/db/check-database.ts";
import { databaseOutage, transaction } from "#lib/db/database.ts";
import { REFUSAL_TOLD_MS } from "#lib/db/database-limits.ts";
import { lookAtDatabase } from "#lib/status/database.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { forgetWarnings } from "./rare-warnings.ts";

useDatabase();
beforeEach(forgetWarnings);

/** What every write does when the database is read-only. */
async function writeReadOnly(): Promise<void> {
  await transaction(async (tx) => {
    await tx.execute(sql`set transaction read only`);
    await tx.execute(sql`insert into throttle (key, empty_at) values ('read only', now())`);
  });
}

/** What a full disk does, as PostgreSQL reports it. */
async function writeToFullDisk(): Promise<void> {
  await transaction((tx) => tx.execute(sql`do $$ begin raise sqlstate '53100'; end $$`));
}

it.each([
  ["a read-only database", writeReadOnly, "it is read-only, as a stand-by is (25006)"],
  ["a full disk", writeToFullDisk, "its disk is full (53100)"],
])("%s fails writes with 503, is no outage, and is logged in one line", async (_, write, reason) => {
  await checkDatabase();
  const lines = captureLog();
  for (let count = 0; count < 3; count++) {
    await expect(write()).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "2" } });
    expect(databaseOutage()).toBeUndefined();
    await checkDatabase();
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: "warn",
      msg: "The database answers, but refuses to write.",
      reason,
      database: expect.stringMatching(/\w/),
      remedy: expect.stringMatching(/^Check that .*disk/),
    },
  ]);
});

it("a write that a full disk has refused is told by the status for a minute", async () => {
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
  const { now } = performance;
  await expect(writeToFullDisk()).rejects.toMatchObject({ code: "unavailable" });
  expect(await lookAtDatabase()).toMatchObject({
    state: "error",
    summary: expect.stringContaining("its disk is full (53100)"),
    remedy: expect.stringMatching(/disk/),
  });
  vi.spyOn(performance, "now").mockImplementation(() => Reflect.apply(now, performance, []) + REFUSAL_TOLD_MS);
  expect(await lookAtDatabase()).not.toMatchObject({ state: "error" });
});

it("a last use that cannot be saved is logged in one line, however many renders there are", async () => {
  const lines = captureLog();
  for (let count = 0; count < 3; count++) await noteTokenUse({ tokenId: "not an id" } as TokenActor);
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toContain("The last use of a token could not be saved.");
});
