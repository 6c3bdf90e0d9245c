import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { DEVICES_PER_USER, LOGIN_PER_DEVICE } from "#lib/access/access-limits.ts";
import { changePassword } from "#lib/access/account.ts";
import { deleteExpired } from "#lib/access/delete-expired.ts";
import { ACCOUNTS_PER_DEVICE_COOKIE } from "#lib/access/login/device-secrets.ts";
import { findDevice } from "#lib/access/login/devices.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { deleteUser, setPassword } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { devices, throttle } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, OPERATOR, PASSWORD } from "./people.ts";

useDatabase();

const ADA = "ada@example.com";
const BOB = "bob@example.com";

function signIn(email: string, deviceCookie?: string, password = PASSWORD) {
  return logIn({ email, password, deviceCookie, caller: CALLER });
}

const countDevices = () => query((db) => db.$count(devices));

describe("a device", () => {
  it("is remembered by each login of an unknown browser, and stored as a hash", async () => {
    await addUser("ada");
    const { deviceCookie } = await signIn(ADA);
    expect(await findDevice(ADA, deviceCookie)).toBeDefined();
    const stored = JSON.stringify(await query((db) => db.execute(sql`select devices::text from devices`)));
    expect(stored).not.toContain(deviceCookie);
    expect(stored).not.toContain(Buffer.from(deviceCookie).toString("hex"));
  });

  it("is the same one, with the same cookie, when its browser signs in again", async () => {
    await addUser("ada");
    const first = await signIn(ADA);
    await query((db) => db.update(devices).set({ expiresAt: sql`now() + interval '1 minute'` }));
    const second = await signIn(ADA, first.deviceCookie);
    expect(second.deviceCookie).toBe(first.deviceCookie);
    const [row, ...others] = await query((db) => db.select().from(devices));
    expect(others).toEqual([]);
    expect(Number(row?.expiresAt) - Date.now()).toBeGreaterThan(179 * 24 * 3_600_000);
  });

  it("belongs to one account", async () => {
    await addUser("ada");
    await addUser("bob");
    const { deviceCookie } = await signIn(ADA);
    expect(await findDevice(BOB, deviceCookie)).toBeUndefined();
    expect((await signIn(BOB, deviceCookie)).deviceCookie).not.toBe(deviceCookie);
  });

  it("of one account stays while others sign in from the same browser", async () => {
    await addUser("ada");
    await addUser("bob");
    const adas = await signIn(ADA);
    const both = await signIn(BOB, adas.deviceCookie);
    expect(await findDevice(BOB, both.deviceCookie)).not.toBe(await findDevice(ADA, both.deviceCookie));
    const again = await signIn(ADA, both.deviceCookie);
    expect(await countDevices()).toBe(2);
    expect(await findDevice(ADA, again.deviceCookie)).toBe(await findDevice(ADA, adas.deviceCookie));
    await addUser("carol");
    const planted = await signIn("carol@example.com", `${"x".repeat(43)}.${again.deviceCookie}`);
    expect(planted.deviceCookie.split(".")).toHaveLength(3);
    expect(await findDevice(BOB, planted.deviceCookie)).toBe(await findDevice(BOB, both.deviceCookie));
  });

  it("of the account that signed in longest ago leaves a cookie that is full", async () => {
    const names = Array.from({ length: ACCOUNTS_PER_DEVICE_COOKIE + 1 }, (_, i) => `user${i}`);
    for (const name of names) await addUser(name);
    const emails = names.map((name) => `${name}@example.com`);
    const [first = "", second = "", ...others] = emails;
    let cookie: string | undefined;
    // The first signs in again, and so the second is the one that has not for longest.
    for (const email of [first, second, ...others.slice(1), first, others[0] ?? ""])
      cookie = (await signIn(email, cookie)).deviceCookie;
    expect(cookie?.split(".")).toHaveLength(ACCOUNTS_PER_DEVICE_COOKIE);
    expect(await findDevice(second, cookie)).toBeUndefined();
    for (const email of [first, ...others]) expect(await findDevice(email, cookie)).toBeDefined();
  });

  it("is unknown when it has expired, and is deleted then", async () => {
    await addUser("ada");
    const { deviceCookie } = await signIn(ADA);
    await query((db) => db.update(devices).set({ expiresAt: sql`now() - interval '1 second'` }));
    expect(await findDevice(ADA, deviceCookie)).toBeUndefined();
    expect((await signIn(ADA, deviceCookie)).deviceCookie).not.toBe(deviceCookie);
    await deleteExpired();
    expect(await countDevices()).toBe(1);
  });

  it.each(["", "x", "x".repeat(43), "x.".repeat(10), "x".repeat(10_000), "'; drop table devices --"])(
    "is not made by a cookie of one's own: %.30s",
    async (planted) => {
      await addUser("ada");
      expect(await findDevice(ADA, planted)).toBeUndefined();
      expect((await signIn(ADA, planted)).deviceCookie).not.toBe(planted);
    },
  );

  it("is no session, and a session is no device", async () => {
    await addUser("ada");
    const { secret, deviceCookie } = await signIn(ADA);
    expect(await findSession(deviceCookie)).toBeUndefined();
    expect(await findDevice(ADA, secret)).toBeUndefined();
  });

  it("is not remembered by a wrong password", async () => {
    await addUser("ada");
    await expectRefusal(signIn(ADA, undefined, "not the right password"), "unauthorized");
    expect(await countDevices()).toBe(0);
  });

  it("has tries of its own, which count for nothing else", async () => {
    await addUser("ada");
    const { deviceCookie } = await signIn(ADA);
    const other = await signIn(ADA);
    await query((db) => db.delete(throttle));
    const wrong = () => signIn(ADA, deviceCookie, "not the right password");
    for (let i = 0; i < LOGIN_PER_DEVICE.attempts; i++) await expectRefusal(wrong(), "unauthorized");
    await expectRefusal(wrong(), "rate_limited");
    const rows = await query((db) => db.select({ key: throttle.key }).from(throttle));
    expect(rows).toEqual([{ key: expect.stringMatching(/^login-device:/) }]);
    await expect(signIn(ADA, other.deviceCookie)).resolves.toHaveProperty("secret");
  });
});

describe("an account", () => {
  it("keeps a bounded number of devices, and first of all those that came back", async () => {
    await addUser("ada");
    const known = await signIn(ADA);
    await signIn(ADA, known.deviceCookie);
    for (let i = 0; i < DEVICES_PER_USER + 5; i++) await signIn(ADA);
    expect(await countDevices()).toBe(DEVICES_PER_USER);
    expect(await findDevice(ADA, known.deviceCookie)).toBeDefined();
  });

  it("keeps its devices when another account has too many", async () => {
    await addUser("ada");
    await addUser("bob");
    const { deviceCookie } = await signIn(BOB);
    for (let i = 0; i < DEVICES_PER_USER + 1; i++) await signIn(ADA);
    expect(await findDevice(BOB, deviceCookie)).toBeDefined();
  });

  it("forgets its other devices when its password is changed", async () => {
    await addUser("ada");
    await addUser("bob");
    const [here, elsewhere, bobs] = [await signIn(ADA), await signIn(ADA), await signIn(BOB)];
    const actor = await findSession(here.secret);
    if (!actor) throw new Error("The session is gone.");
    await changePassword({ actor, currentPassword: PASSWORD, newPassword: "a new password of mine", caller: CALLER });
    expect(await findDevice(ADA, here.deviceCookie)).toBeDefined();
    expect(await findDevice(ADA, elsewhere.deviceCookie)).toBeUndefined();
    expect(await findDevice(BOB, bobs.deviceCookie)).toBeDefined();
  });

  it("forgets all of its devices when its password is set, and when it is deleted", async () => {
    const { id } = await addUser("ada");
    const bob = await addUser("bob");
    const [adas, bobs] = [await signIn(ADA), await signIn(BOB)];
    await setPassword({ actor: OPERATOR, id, password: "a new password of hers", caller: CALLER });
    expect(await findDevice(ADA, adas.deviceCookie)).toBeUndefined();
    expect(await findDevice(BOB, bobs.deviceCookie)).toBeDefined();
    await deleteUser({ actor: OPERATOR, id: bob.id, caller: CALLER });
    expect(await query((db) => db.$count(devices, eq(devices.userId, bob.id)))).toBe(0);
  });
});
