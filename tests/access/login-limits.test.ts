import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { LOGIN_PER_NETWORK } from "#lib/access/access-limits.ts";
import { updateAccount } from "#lib/access/account.ts";
import type { SessionActor } from "#lib/access/actor.ts";
import { admitLogin } from "#lib/access/login/admission.ts";
import { fullBuckets } from "#lib/access/login/full-buckets.ts";
import { logIn } from "#lib/access/login.ts";
import { setPassword, unlockUser, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, fillBuckets, OPERATOR, PASSWORD, signIn } from "./people.ts";

useDatabase();

const EMAIL = "ada@example.com";
const HOUR_SECONDS = 3_600;

/** The addresses of an attacker. */
const ADDRESSES = Array.from({ length: 50 }, (_, at) => `203.0.113.${at}`);

let usedAddresses = 0;

/** An address that has not tried yet. */
const newAddress = () => `198.51.${100 + Math.floor(usedAddresses / 250)}.${usedAddresses++ % 250}`;

type Attempt = { password?: string; address?: string; deviceCookie?: string };

function tryToLogIn({ password = "not the right password", address = newAddress(), deviceCookie }: Attempt = {}) {
  return logIn({ email: EMAIL, password, deviceCookie, caller: { ...CALLER, address } });
}

/** Moves every bucket into the past, and forgets which were full, as if this time had passed. */
async function passTime(seconds: number): Promise<void> {
  await query((db) => db.update(throttle).set({ emptyAt: sql`empty_at - ${seconds} * interval '1 second'` }));
  fullBuckets.reset();
}

/** Tries once from each address. @returns how many tries were admitted, each of which is a guess */
async function attackFrom(addresses: readonly string[], email = EMAIL): Promise<number> {
  let guesses = 0;
  for (const address of addresses)
    await admitLogin({ email, address, device: undefined }).then(
      () => guesses++,
      () => undefined,
    );
  return guesses;
}

describe("with an attacker at 20 tries a second from 50 addresses", () => {
  beforeEach(async () => {
    await addUser("ada");
  });

  /** One second of simulated time: each address tries every two and a half seconds. */
  async function attackForSeconds(seconds: number, act: (second: number) => Promise<void>): Promise<number> {
    let guesses = 0;
    for (let second = 0; second < seconds; second++) {
      const first = (second * 20) % 50;
      guesses += await attackFrom(Array.from({ length: 20 }, (_, at) => ADDRESSES[(first + at) % 50] ?? ""));
      await passTime(1);
      await act(second);
    }
    return guesses;
  }

  it("the owner gets in at once from a known browser, and from a new one, at any time", async () => {
    const { deviceCookie } = await tryToLogIn({ password: PASSWORD });
    await attackForSeconds(11, async (second) => {
      if (second % 10 !== 0) return;
      const known = { password: PASSWORD, address: ADDRESSES[0] ?? "", deviceCookie };
      await expect(tryToLogIn(known)).resolves.toHaveProperty("secret");
      await expect(tryToLogIn({ password: PASSWORD })).resolves.toHaveProperty("secret");
    });
  });

  it("the owner has three tries from a new browser once the attack has gone on for hours", async () => {
    for (let round = 0; round < 4; round++) {
      await attackFrom([...ADDRESSES, ...ADDRESSES]);
      await passTime(HOUR_SECONDS / 2);
    }
    const address = newAddress();
    for (let wrong = 0; wrong < 2; wrong++) await expectRefusal(tryToLogIn({ address }), "unauthorized");
    await expect(tryToLogIn({ address, password: PASSWORD })).resolves.toHaveProperty("secret");
  });

  it("fewer than 100 passwords are guessed in the first hour, and fewer after it", async () => {
    const guesses: number[] = [];
    for (let hour = 0; hour < 2; hour++) {
      let admitted = 0;
      // 500 tries an hour, five times what is admitted.
      for (let minute = 0; minute < 60; minute += 6) {
        admitted += await attackFrom(ADDRESSES);
        await passTime(6 * 60);
      }
      guesses.push(admitted);
    }
    expect(guesses[0]).toBeLessThan(100);
    for (const later of guesses.slice(1)) expect(later).toBeLessThanOrEqual(21);
  });

  it.each<[string, () => string[]]>([
    ["each address one after the other", () => ADDRESSES.flatMap((address) => Array(12).fill(address))],
    ["three tries of each address", () => ADDRESSES.flatMap((address) => Array(3).fill(address))],
    ["a few addresses first", () => [...Array(20).fill(ADDRESSES[0]), ...Array(20).fill(ADDRESSES[1]), ...ADDRESSES]],
  ])("five first tries are left for others, whatever the order: %s", async (_name, order) => {
    await attackFrom(order());
    for (let owner = 0; owner < 5; owner++) await expectRefusal(tryToLogIn(), "unauthorized");
  });
});

it.each<[string, (at: number) => string]>([
  ["/48", (at) => `2001:db8:7:${at.toString(16)}::1`],
  ["/56", (at) => `2001:db8:8:1${at.toString(16).padStart(2, "0")}::1`],
])("an attacker with every subnet of an IPv6 %s leaves first tries to others", async (_size, addressOf) => {
  await addUser("ada");
  await attackFrom(Array.from({ length: 250 }, (_, at) => addressOf(at)));
  for (const address of ["2001:db8:9::1", newAddress()])
    await expect(tryToLogIn({ address, password: PASSWORD })).resolves.toHaveProperty("secret");
});

describe("an attacker at ever new accounts with every subnet of an IPv6 /48", () => {
  const emailAt = (at: number) => `${at}@example.com`;
  const addressAt = (at: number) => `2001:db8:7:${(at + 1).toString(16)}::1`;

  it("has 400 tries in 15 minutes, because each failed one is a row of the audit trail", async () => {
    expect(LOGIN_PER_NETWORK).toMatchObject({ attempts: 400, windowSeconds: 900 });
    await attackFrom([addressAt(0)], emailAt(0));
    await fillBuckets(LOGIN_PER_NETWORK);
    for (let at = 1; at < 10; at++) expect(await attackFrom([addressAt(at)], emailAt(at)), addressAt(at)).toBe(0);
  });

  it("keeps out nobody from elsewhere, no known browser, and nobody who is unlocked", async () => {
    const { id } = await addUser("ada");
    const right = { password: PASSWORD, address: "2001:db8:7:ffff::1" };
    const { deviceCookie } = await tryToLogIn(right);
    await attackFrom([addressAt(0)], emailAt(0));
    await fillBuckets(LOGIN_PER_NETWORK);
    await expectRefusal(tryToLogIn(right), "rate_limited");
    for (const allowed of [{ address: "2001:db8:8::1" }, { address: newAddress() }, { deviceCookie }])
      await expect(tryToLogIn({ ...right, ...allowed })).resolves.toHaveProperty("secret");
    await unlockUser({ actor: OPERATOR, id, caller: CALLER });
    await expect(tryToLogIn(right)).resolves.toHaveProperty("secret");
  });

  it("gives its try back with the right password", async () => {
    await addUser("ada");
    await tryToLogIn({ password: PASSWORD, address: addressAt(0) });
    await passTime(1);
    const counted = sql`empty_at > clock_timestamp() and key like ${`${LOGIN_PER_NETWORK.kind}:%`}`;
    expect(await query((db) => db.$count(throttle, counted))).toBe(0);
  });
});

it("guessing from ever new addresses stays under 100 tries an hour too", async () => {
  let guesses = 0;
  for (let minute = 0; minute < 60; minute++) {
    guesses += await attackFrom(Array.from({ length: 10 }, newAddress));
    await passTime(60);
  }
  expect(guesses).toBeGreaterThan(75);
  expect(guesses).toBeLessThan(100);
});

it.each<[string, (actor: SessionActor, email: string) => Promise<unknown>]>([
  ["by a thief of its session", (actor, email) => updateAccount({ actor, changes: { email }, caller: CALLER })],
  [
    "by an administrator",
    ({ user: { id } }, email) => updateUser({ actor: OPERATOR, id, changes: { email }, caller: CALLER }),
  ],
])("an account whose email is changed again and again has no more tries than another: %s", async (_name, change) => {
  const { actor } = await signIn(await addUser("ada"));
  const fortyTries = (email: string) => attackFrom(Array.from({ length: 40 }, newAddress), email);
  let guesses = await fortyTries(EMAIL);
  for (let round = 0; round < 5; round++) {
    const email = `ada${round}@example.com`;
    await change(actor, email);
    guesses += await fortyTries(email);
  }
  expect(guesses).toBe(75);
});

it("an email keeps the tries that it had before an account took it", async () => {
  const { id } = await addUser("ada");
  const email = "new@example.com";
  await attackFrom(Array.from({ length: 80 }, newAddress), email);
  await updateUser({ actor: OPERATOR, id, changes: { email }, caller: CALLER });
  fullBuckets.reset();
  expect(await attackFrom([newAddress()], email)).toBe(0);
});

it("a first login with a few wrong passwords waits for nothing", async () => {
  await addUser("ada");
  const address = newAddress();
  for (let wrong = 0; wrong < 9; wrong++) await expectRefusal(tryToLogIn({ address }), "unauthorized");
  await expect(tryToLogIn({ address, password: PASSWORD })).resolves.toHaveProperty("secret");
});

it.each<[string, (id: string) => Promise<void>]>([
  ["a password that is set", (id) => setPassword({ actor: OPERATOR, id, password: PASSWORD, caller: CALLER })],
  ["`unlock`", (id) => unlockUser({ actor: OPERATOR, id, caller: CALLER })],
])("%s ends every limit of the account and of addresses", async (_name, end) => {
  const { id } = await addUser("ada");
  const attacker = ADDRESSES[0] ?? "";
  await attackFrom([...ADDRESSES, ...Array.from({ length: 60 }, newAddress), ...Array(120).fill(attacker)]);
  await expectRefusal(tryToLogIn({ address: attacker, password: PASSWORD }), "rate_limited");
  await expectRefusal(tryToLogIn({ password: PASSWORD }), "rate_limited");
  await end(id);
  fullBuckets.reset();
  await expect(tryToLogIn({ address: attacker, password: PASSWORD })).resolves.toHaveProperty("secret");
  for (let wrong = 0; wrong < 9; wrong++) await expectRefusal(tryToLogIn({ address: attacker }), "unauthorized");
});

it("`unlock` ends no limit of another account", async () => {
  const { id } = await addUser("ada");
  const other = { email: "bob@example.com", device: undefined };
  for (const address of [...ADDRESSES, ...Array.from({ length: 60 }, newAddress)])
    await admitLogin({ ...other, address }).catch(() => undefined);
  await unlockUser({ actor: OPERATOR, id, caller: CALLER });
  await expectRefusal(admitLogin({ ...other, address: newAddress() }), "rate_limited");
});
