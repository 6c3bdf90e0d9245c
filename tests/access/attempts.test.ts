import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { LOGIN_PER_ADDRESS, LOGIN_PER_PAIR, THROTTLE_BUCKETS } from "#lib/access/access-limits.ts";
import { changePassword } from "#lib/access/account.ts";
import { fullBuckets } from "#lib/access/login/full-buckets.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { clearAttempts, refundAttempts, takeAttempt } from "#lib/access/throttle.ts";
import { addressGroup, addressNetwork } from "#lib/addresses/address-group.ts";
import { query, transaction } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import { email as emailSchema } from "#lib/schemas/user.ts";
import { captureLog } from "../captured-log.ts";
import { completeIndexes, useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, outcomes, PASSWORD, signIn } from "./people.ts";
import { planOf, statementsOf } from "./statements.ts";

useDatabase();

const tenInQuarterHour = { allowance: LOGIN_PER_PAIR, name: "ada@example.com 192.0.2.1" };

function tryToLogIn(email: string, { password = "not the right password", address = "192.0.2.1" } = {}) {
  return logIn({ email: emailSchema.parse(email), password, caller: { ...CALLER, address } });
}

/** Moves every bucket into the past, and forgets which were full, as if this time had passed. */
async function passTime(seconds: number): Promise<void> {
  await query((db) => db.update(throttle).set({ emptyAt: sql`empty_at - ${seconds} * interval '1 second'` }));
  fullBuckets.reset();
}

const retryAfter = async (act: Promise<unknown>): Promise<number> =>
  Number(((await act.catch((error: unknown) => error)) as { headers: Record<string, string> }).headers["Retry-After"]);

describe("attempts", () => {
  it("are admitted as often as allowed when many are made at once", async () => {
    const attempts = Array.from({ length: 100 }, () => takeAttempt(tenInQuarterHour));
    const { done, refused } = await outcomes(attempts);
    expect(done).toBe(10);
    expect(new Set(refused)).toEqual(new Set(["rate_limited"]));
  });

  it("are not under-admitted when several are made at once", async () => {
    for (let i = 0; i < 25; i++) {
      const { done } = await outcomes(Array.from({ length: 11 }, () => takeAttempt(tenInQuarterHour)));
      expect(done).toBe(10);
      // Another name each time could share its bucket with one before.
      await passTime(900);
    }
  });

  it("come back one by one, and Retry-After says when the next one does", async () => {
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    const wait = await retryAfter(takeAttempt(tenInQuarterHour));
    expect(wait).toBeGreaterThanOrEqual(80);
    expect(wait).toBeLessThanOrEqual(90);
    await passTime(wait);
    await takeAttempt(tenInQuarterHour);
    await expectRefusal(takeAttempt(tenInQuarterHour), "rate_limited");
    expect(await retryAfter(takeAttempt(tenInQuarterHour))).toBeGreaterThanOrEqual(1);
    await passTime(900);
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    await expectRefusal(takeAttempt(tenInQuarterHour), "rate_limited");
  });

  it("that are refused do not count", async () => {
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    for (let i = 0; i < 50; i++) await expectRefusal(takeAttempt(tenInQuarterHour), "rate_limited");
    await passTime(90);
    await takeAttempt(tenInQuarterHour);
  });

  it("take one statement, and one to give an attempt back", async () => {
    expect(await statementsOf(() => takeAttempt(tenInQuarterHour))).toHaveLength(1);
    expect(await statementsOf(() => refundAttempts([tenInQuarterHour]))).toHaveLength(1);
  });

  it("are not refused for years after the clock of the database was ahead", async () => {
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    await expectRefusal(takeAttempt(tenInQuarterHour), "rate_limited");
    await passTime(-1_000);
    const { done } = await outcomes(Array.from({ length: 30 }, () => takeAttempt(tenInQuarterHour)));
    expect(done).toBe(10);
  });

  it("stay refused when the clock of the database goes back by less than their window", async () => {
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    await passTime(-600);
    expect(await retryAfter(takeAttempt(tenInQuarterHour))).toBeGreaterThan(600);
  });

  it("stay counted when one of them is given back", async () => {
    for (let i = 0; i < 10; i++) await takeAttempt(tenInQuarterHour);
    await refundAttempts([tenInQuarterHour]);
    const { done } = await outcomes(Array.from({ length: 10 }, () => takeAttempt(tenInQuarterHour)));
    expect(done).toBe(1);
  });

  it("cannot be saved up by giving back more than were taken", async () => {
    await takeAttempt(tenInQuarterHour);
    for (let i = 0; i < 20; i++) await refundAttempts([tenInQuarterHour]);
    const { done } = await outcomes(Array.from({ length: 30 }, () => takeAttempt(tenInQuarterHour)));
    expect(done).toBe(10);
  });
});

describe("a login", () => {
  it("counts for its account in every spelling of the email", async () => {
    await addUser("ada");
    const spellings = ["ada@example.com", " ADA@example.com", "Ada@Example.COM ", "aDA@EXAMPLE.com"];
    const { refused } = await outcomes(Array.from({ length: 40 }, (_, i) => tryToLogIn(spellings[i % 4] ?? "")));
    expect(refused.filter((code) => code === "unauthorized")).toHaveLength(10);
    expect(refused.filter((code) => code === "rate_limited")).toHaveLength(30);
  });

  it("is refused even with the right password when no attempt is left, while live sessions continue", async () => {
    const { secret } = await signIn(await addUser("ada"));
    for (let i = 0; i < 10; i++) await expectRefusal(tryToLogIn("ada@example.com"), "unauthorized");
    await expectRefusal(tryToLogIn("ada@example.com", { password: PASSWORD }), "rate_limited");
    expect(await findSession(secret)).toBeDefined();
  });

  it("is counted the same for accounts that exist and accounts that do not", async () => {
    await addUser("ada");
    const codes = [];
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      const acts = Array.from({ length: 15 }, () => () => tryToLogIn(email));
      const seen: unknown[] = [];
      for (const act of acts) seen.push((await act().catch((error: unknown) => error)) as Error);
      codes.push(seen.map((error) => [(error as { code: string }).code, (error as Error).message]));
    }
    expect(codes[1]).toEqual(codes[0]);
  });

  it("with the right password gives its attempts back", async () => {
    await addUser("ada");
    for (let i = 0; i < 15; i++) await tryToLogIn("ada@example.com", { password: PASSWORD });
    await passTime(1);
    const counted = sql`empty_at > clock_timestamp() and key not like 'session-creation:%'`;
    expect(await query((db) => db.$count(throttle, counted))).toBe(0);
  });

  it("that its account refuses counts for its address, so that an attacker's address runs out of attempts", async () => {
    await addUser("ada");
    await addUser("grace");
    for (let i = 0; i < LOGIN_PER_ADDRESS.attempts; i++) await tryToLogIn("ada@example.com").catch(() => undefined);
    await passTime(-60);
    await expectRefusal(tryToLogIn("grace@example.com", { password: PASSWORD }), "rate_limited");
    const elsewhere = { password: PASSWORD, address: "192.0.2.2" };
    await expect(tryToLogIn("grace@example.com", elsewhere)).resolves.toHaveProperty("secret");
  });

  it("is counted for the address first, so that one address fills a bounded number of buckets", async () => {
    for (let i = 0; i < LOGIN_PER_ADDRESS.attempts; i++)
      await takeAttempt({ allowance: LOGIN_PER_ADDRESS, name: addressGroup("192.0.2.1") });
    await passTime(-60);
    for (let i = 0; i < 10; i++) await expectRefusal(tryToLogIn(`${i}@example.com`), "rate_limited");
    expect(await query((db) => db.$count(throttle))).toBe(1);
  });

  it("cannot be counted for someone else by a name that was chosen for its hash", async () => {
    // Without a key, both names have the same hash modulo 2^18. Such a name is found within a second.
    const bucket = (name: string) => createHash("sha256").update(name).digest().readUInt32BE() % THROTTLE_BUCKETS;
    const [victim, chosen] = ["ada@example.com 192.0.2.1", "271213@example.net 198.51.100.1"];
    expect(bucket(chosen)).toBe(bucket(victim));
    const attempt = { allowance: LOGIN_PER_PAIR, name: chosen };
    for (let i = 0; i < 10; i++) await takeAttempt(attempt);
    await takeAttempt({ allowance: LOGIN_PER_PAIR, name: victim });
  });

  it("is counted in one of a bounded number of buckets", async () => {
    const names = Array.from({ length: 500 }, (_, i) => `${i}@example.com`);
    for (let i = 0; i < names.length; i += 100)
      await Promise.all(names.slice(i, i + 100).map((name) => takeAttempt({ allowance: LOGIN_PER_PAIR, name })));
    const rows = await query((db) => db.select({ key: throttle.key }).from(throttle));
    for (const { key } of rows) {
      const [, bucket] = /^login-pair:(\d+)$/.exec(key) ?? [];
      expect(Number(bucket)).toBeLessThan(THROTTLE_BUCKETS);
    }
    expect(rows.length).toBeGreaterThan(490);
  });
});

it("a login from an IPv6 address is counted for its subnet", async () => {
  await addUser("ada");
  const bySubnet = { allowance: LOGIN_PER_ADDRESS, name: addressGroup("2001:db8::1") };
  await Promise.all(Array.from({ length: LOGIN_PER_ADDRESS.attempts }, () => takeAttempt(bySubnet)));
  await expectRefusal(tryToLogIn("ada@example.com", { address: "2001:db8::2" }), "rate_limited");
});

it("logins have the limits of the documentation: ten at an account and a hundred at all from an address in 15 minutes", () => {
  expect(LOGIN_PER_PAIR).toMatchObject({ attempts: 10, windowSeconds: 900 });
  expect(LOGIN_PER_ADDRESS).toMatchObject({ attempts: 100, windowSeconds: 900 });
});

it("attempts that cannot be given back fail nothing, and only the first one is tried and logged", async () => {
  await takeAttempt(tenInQuarterHour);
  const lines = captureLog();
  await query((db) => db.execute(sql`alter table throttle rename to throttle_away`));
  try {
    await refundAttempts(Array(4).fill(tenInQuarterHour));
  } finally {
    await query((db) => db.execute(sql`alter table throttle_away rename to throttle`));
  }
  expect(lines).toHaveLength(1);
});

it("an attempt that is given back changes no other account's attempts", async () => {
  const other = { ...tenInQuarterHour, name: "bob@example.com" };
  for (let i = 0; i < 10; i++) await takeAttempt(other);
  await takeAttempt(tenInQuarterHour);
  await refundAttempts([tenInQuarterHour]);
  await expectRefusal(takeAttempt(other), "rate_limited");
});

it("an IPv6 subnet counts as one address, and so does every spelling of an IPv4 address", () => {
  const groups = (addresses: string[]) => new Set(addresses.map(addressGroup)).size;
  expect(groups(["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:DB8:1:2:0:0:0:9"])).toBe(1);
  expect(groups(["2001:db8:1:2::1", "2001:db8:1:3::1"])).toBe(2);
  expect(groups(["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"])).toBe(1);
  expect(groups(["192.0.2.1", "192.0.2.2"])).toBe(2);
  expect(groups(["fe80::1%eth0", "fe80::2"])).toBe(1);
  expect(new Set(["2001:db8:1:2::1", "2001:db8:1:3::1"].map(addressNetwork)).size).toBe(1);
  expect(new Set(["2001:db8:1::1", "2001:db8:2::1", "192.0.2.1", "192.0.2.2"].map(addressNetwork)).size).toBe(4);
  expect(new Set([null, "", "garbage", "1.2.3.4, 5.6.7.8"].map(addressGroup)).size).toBe(1);
});

it("a session can guess its user's password ten times", async () => {
  const { actor } = await signIn(await addUser("ada"));
  const change = (currentPassword: string) =>
    changePassword({ actor, currentPassword, newPassword: "a new password of mine", caller: CALLER });
  for (let i = 0; i < 10; i++) await expectRefusal(change("not the right password"), "wrong_password");
  await expectRefusal(change(PASSWORD), "rate_limited");
});

it("an account is unlocked without reading the table, which a flood of logins fills", async () => {
  await completeIndexes();
  const clear = () => transaction((tx) => clearAttempts(tx, "ada@example.com"));
  const deletions = (await statementsOf(clear)).filter(({ text }) => text.startsWith("delete"));
  expect(deletions).toHaveLength(1);
  for (const deletion of deletions) {
    expect(deletion.text).toContain("sha256");
    const plan = await planOf(deletion);
    expect(plan).not.toContain("sha256");
    expect(plan).toContain("Index Scan on throttle_account");
    expect(plan).toContain("Index Scan on throttle_login_address");
  }
});
