import { eq, sql } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { LOGIN_PER_ACCOUNT } from "#lib/access/access-limits.ts";
import { readAuditTrail } from "#lib/access/audit-trail.ts";
import { fullBuckets } from "#lib/access/login/full-buckets.ts";
import { logIn } from "#lib/access/login.ts";
import { newId } from "#lib/access/new-id.ts";
import { findSession } from "#lib/access/sessions.ts";
import { takeAttempt } from "#lib/access/throttle.ts";
import { noteTokenUse } from "#lib/access/tokens.ts";
import { query } from "#lib/db/database.ts";
import { sessions, throttle, tokens } from "#lib/db/schema.ts";
import { addToken, addUser, CALLER, expectRefusal, PASSWORD, signIn } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";

useDatabase();

afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;

/** As if the clock of the database had been ahead until now. */
async function setBack(seconds: number): Promise<void> {
  await query((db) => db.update(throttle).set({ emptyAt: sql`empty_at + ${seconds} * interval '1 second'` }));
  fullBuckets.reset();
}

const logInAnew = () => logIn({ email: "ada@example.com", password: PASSWORD, caller: CALLER });

it("entries of the audit trail are found by their day after the clock of the server was ahead", async () => {
  const today = { since: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 100 * 24 * HOUR_MS });
  await addUser("ada");
  vi.useRealTimers();
  await addUser("bob");
  const found = (await readAuditTrail(today)).entries.map(({ subject }) => subject?.name);
  expect(found).toContain("bob@example.com");
});

it("ids follow each other also when the clock is corrected by a second, and within a millisecond", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const ids = Array.from({ length: 1_000 }, newId);
  vi.setSystemTime(Date.now() - 1_000);
  ids.push(newId(), newId());
  expect(new Set(ids).size).toBe(1_002);
  expect(ids.toSorted()).toEqual(ids);
});

it.each([20 * 60, 3 * 3_600, 7 * 3_600])(
  "who signed in before the clock was set back by %d s can sign in again with the right password",
  async (seconds) => {
    await addUser("ada");
    await logInAnew();
    await setBack(seconds);
    await logInAnew();
  },
);

it("an account that was tried until it was full is not refused for hours after the clock was set back", async () => {
  const attempt = { allowance: LOGIN_PER_ACCOUNT, name: "ada@example.com" };
  for (let i = 0; i < LOGIN_PER_ACCOUNT.attempts; i++) await takeAttempt(attempt);
  await setBack(10 * 60);
  await expectRefusal(takeAttempt(attempt), "rate_limited");
  await setBack(10 * 60);
  await takeAttempt(attempt);
});

it("the last use of a session and of a token is stored where the last one is in the future", async () => {
  const { secret, actor } = await signIn(await addUser("ada"));
  const { actor: token } = await addToken(actor);
  const nextYear = new Date(Date.now() + 365 * 24 * HOUR_MS);
  await query((db) => db.update(sessions).set({ lastSeenAt: nextYear }));
  await query((db) => db.update(tokens).set({ lastUsedAt: nextYear }));
  await findSession(secret);
  await noteTokenUse(token);
  const isFuture = async () => {
    const [session] = await query((db) => db.select().from(sessions).where(eq(sessions.id, actor.sessionId)));
    const [used] = await query((db) => db.select().from(tokens));
    return [session?.lastSeenAt, used?.lastUsedAt].map((at) => Number(at) > Date.now() + HOUR_MS);
  };
  await expect.poll(isFuture).toEqual([false, false]);
});
