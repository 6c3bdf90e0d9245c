import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { LOGIN_PER_ADDRESS, LOGIN_TRIES_SEEN } from "#lib/access/access-limits.ts";
import { countAttempt, refundAttempts, takeAttempt } from "#lib/access/throttle.ts";
import { updateUser } from "#lib/access/users.ts";
import { query, transaction } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import { addUser, CALLER, listUsers, OPERATOR, outcomes } from "#tests/access/people.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { connectAs } from "./connect-as.ts";

useDatabase();

it("two accounts that take each other's email at the same moment are both told that it is taken", async () => {
  const [one, other] = [await addUser("one"), await addUser("other")];
  const lines = captureLog();
  const take = (id: string, email: string) => updateUser({ actor: OPERATOR, id, changes: { email }, caller: CALLER });
  for (let round = 0; round < 5; round++) {
    const taking = [take(one.id, other.email), take(other.id, one.email)];
    expect(await outcomes(taking)).toEqual({ done: 0, refused: ["email_taken", "email_taken"] });
  }
  expect((await listUsers()).map(({ email }) => email).toSorted()).toEqual([one.email, other.email].toSorted());
  expect(lines).toEqual([]);
});

it("transactions that wait for each other are all done, and each of them once", async () => {
  await query((db) => db.insert(throttle).values(["one", "two"].map((key) => ({ key, emptyAt: new Date(0) }))));
  const later = (key: string) =>
    sql`update ${throttle} set empty_at = empty_at + interval '1 second' where key = ${key}`;
  const inOrder = (...keys: string[]) =>
    transaction(async (tx) => {
      for (const key of keys) {
        await tx.execute(later(key));
        await sleep(100);
      }
    });
  await Promise.all([inOrder("one", "two"), inOrder("two", "one"), inOrder("one", "two")]);
  const rows = await query((db) => db.select({ emptyAt: throttle.emptyAt }).from(throttle));
  expect(rows).toEqual([{ emptyAt: new Date(3_000) }, { emptyAt: new Date(3_000) }]);
});

it("attempts at the same moment are all counted, whatever isolation the role has for transactions", async () => {
  await connectAs("repeatable", "set default_transaction_isolation = 'repeatable read'");
  const count = () => countAttempt({ allowance: { ...LOGIN_TRIES_SEEN, attempts: 100 }, name: "somebody" });
  const levels = await Promise.all(Array.from({ length: 30 }, count));
  expect(levels.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

it("attempts that are given back at the same moment leave none", async () => {
  const attempt = { allowance: LOGIN_PER_ADDRESS, name: "an office" };
  const logIn = async () => {
    await takeAttempt(attempt);
    await refundAttempts([attempt]);
  };
  for (let round = 0; round < 100; round++) {
    await Promise.all(Array.from({ length: 10 }, logIn));
    expect(await query((db) => db.$count(throttle))).toBe(0);
  }
});
