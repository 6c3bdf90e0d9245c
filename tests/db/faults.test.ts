import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { query, transaction } from "#lib/db/database.ts";
import {
  isUnavailable,
  isUniqueViolation,
  sanitizeError,
  sqlState,
  unavailableReason,
} from "#lib/db/database-faults.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";

useDatabase();

const SECRET = "$argon2id$a-hash-that-nobody-may-read";
const ADA = {
  id: "01890000-0000-7000-8000-000000000001",
  email: "ada@example.com",
  name: "Ada",
  passwordHash: SECRET,
};

async function failureOf(ask: Promise<unknown>): Promise<Error> {
  return await ask.then(
    () => new Error("It succeeded."),
    (error: Error) => error,
  );
}

describe("an error of the database", () => {
  it("has its SQLSTATE and its constraint, inside and outside a transaction", async () => {
    await query((db) => db.insert(users).values(ADA));
    const again = { ...ADA, id: ADA.id.replace("1", "2"), email: "ADA@example.com".toLowerCase() };
    let inside: unknown;
    const outside = await failureOf(
      transaction(async (tx) => {
        inside = await failureOf(tx.insert(users).values(again));
        throw inside;
      }),
    );
    for (const error of [inside, outside]) {
      expect(sqlState(error)).toBe("23505");
      expect(isUniqueViolation(error, "users_email_unique")).toBe(true);
      expect(isUniqueViolation(error, "users_pkey")).toBe(false);
    }
  });

  it.each([
    ["a broken constraint", () => query((db) => db.insert(users).values({ ...ADA, role: SECRET as "user" }))],
    ["a missing value", () => query((db) => db.insert(users).values({ ...ADA, name: null as unknown as string }))],
    ["a value of another type", () => query((db) => db.execute(sql`select ${SECRET}::uuid`))],
    ["a missing table", () => query((db) => db.execute(sql`select * from nobody where name = ${SECRET}`))],
    ["a fault in a transaction", () => transaction((tx) => tx.execute(sql`select ${SECRET}::uuid`))],
  ])("is logged without parameters and rows, for %s", async (_, ask) => {
    const error = await failureOf(ask());
    const lines = captureLog();
    log().error({ err: error }, "failed");
    expect(error).not.toBeInstanceOf(AppError);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(sqlState(error));
    expect(lines[0]).not.toContain("argon2id");
    expect(lines[0]).not.toContain("Ada");
    expect(JSON.stringify(Object.entries(error))).not.toContain("argon2id");
  });

  it("leaves errors of other origins as they are", async () => {
    const own = new AppError("forbidden", "No.");
    expect(await failureOf(transaction(() => Promise.reject(own)))).toBe(own);
    const bug = new TypeError("a bug");
    expect(await failureOf(query(() => Promise.reject(bug)))).toBe(bug);
  });

  it("does not make the connection unusable", async () => {
    await failureOf(transaction((tx) => tx.execute(sql`select nothing`)));
    expect(await query((db) => db.execute(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });
});

it.each([
  ["query", query],
  ["transaction", transaction],
])("a statement that was not awaited does not run after its %s", async (_, run) => {
  let forgotten: Promise<unknown> = Promise.resolve();
  const ended = Promise.withResolvers<void>();
  await run(async (tx) => {
    await tx.execute(sql`select 1`);
    forgotten = ended.promise.then(() => tx.execute(sql`insert into throttle (key, empty_at) values ('late', now())`));
  });
  ended.resolve();
  const cause = { message: "A statement was sent after its query or transaction had ended." };
  await expect(forgotten).rejects.toMatchObject({ cause });
  expect(await query((db) => db.execute(sql`select * from throttle`))).toEqual([]);
});

it.each([
  ["a database that accepts no connections", "FATAL", "55000", true],
  ["a pooler that has no connection left", "FATAL", "XX000", true],
  ["a server that crashes", "PANIC", "XX000", true],
  ["a disk that fails", "ERROR", "58030", true],
  ["a statement in the wrong state", "ERROR", "55000", false],
  ["a fault of the server in a statement", "ERROR", "XX000", false],
])("%s: whether the database is unavailable", (_, severity, code, expected) => {
  const error = Object.assign(new Error("refused"), { severity, code });
  expect(isUnavailable(error)).toBe(expected);
  expect(isUnavailable(new Error("a query failed", { cause: error }))).toBe(expected);
});

it.each([
  ["53100", "its disk is full (53100)"],
  ["53200", "it has no memory left (53200)"],
  ["25006", "it is read-only, as a stand-by is (25006)"],
  ["55P03", "a statement waited longer for a lock than lock_timeout allows (55P03)"],
])("the reason of an outage is in words (%s)", (code, reason) => {
  expect(unavailableReason(Object.assign(new Error("refused"), { severity: "ERROR", code }))).toBe(reason);
});

it.each([
  ["XX001", /^PostgreSQL refused a statement with XX001: a file of the database is damaged\. Restore a backup/],
  ["XX002", /^PostgreSQL refused a statement with XX002: an index of the database is damaged\. REINDEX/],
])("an error of damaged data says what to do, and quotes no row (%s)", (code, message) => {
  const error = Object.assign(new Error("invalid page with a row of Ada"), { severity: "ERROR", code });
  expect(sanitizeError(error)).toMatchObject({ message: expect.stringMatching(message) });
  expect((sanitizeError(error) as Error).message).not.toContain("Ada");
});

it.each([
  ['could not open file "base/5/16598": Permission denied', true, "it may not open its own files (42501)"],
  ['could not open directory "pg_wal": Permission denied', true, "it may not open its own files (42501)"],
  ["permission denied for table users", false, "42501"],
])(
  "a folder that is closed to the database is an outage, and a missing right is none: %s",
  (message, isOutage, reason) => {
    const error = Object.assign(new Error(message), { severity: "ERROR", code: "42501" });
    expect(isUnavailable(new Error("a query failed", { cause: error }))).toBe(isOutage);
    expect(unavailableReason(error)).toBe(reason);
  },
);
