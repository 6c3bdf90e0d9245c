import { availableParallelism } from "node:os";
import * as argon2 from "@node-rs/argon2";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hashesAtOnce } from "#lib/access/access-limits.ts";
import { hashPassword, verifyPassword } from "#lib/access/passwords.ts";
import { outcomes, PASSWORD } from "./people.ts";

vi.unmock("#lib/access/access-limits.ts");
vi.mock("@node-rs/argon2", { spy: true });
afterEach(() => void vi.mocked(argon2.hash).mockReset());

/** Makes every hash wait for its `end`. */
function holdHashes() {
  const running: (() => void)[] = [];
  let most = 0;
  vi.mocked(argon2.hash).mockImplementation(() => {
    const { promise, resolve } = Promise.withResolvers<string>();
    running.push(() => resolve("hash"));
    most = Math.max(most, running.length);
    return promise;
  });
  return { running, most: () => most, end: () => running.shift()?.() };
}

describe("a password", () => {
  it.each([
    "",
    "x",
    "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
    "$argon2id$v=19$m=47104,t=1,p=1$AAAA",
    "$argon2id$v=19$m=4,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])("does not match a hash that cannot be read: %j", async (hash) => {
    vi.mocked(argon2.verify).mockClear();
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(false);
    expect(vi.mocked(argon2.verify)).toHaveBeenLastCalledWith(expect.stringMatching(/^\$argon2id.*\$A{43}$/), PASSWORD);
  });

  it("is hashed with argon2id, differently each time, and matches in full", async () => {
    const password = "𝕡𝕒𝕤𝕤 пароль كلمة 密码 🔐".repeat(8);
    const [hash, again] = [await hashPassword(password), await hashPassword(password)];
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(again).not.toBe(hash);
    expect(await verifyPassword({ hash, password })).toBe(true);
    for (const wrong of [
      password.slice(0, -2),
      `${password} `,
      ` ${password}`,
      password.toUpperCase(),
      password.normalize("NFKC"),
      "",
    ])
      expect(await verifyPassword({ hash, password: wrong })).toBe(false);
  });

  it("matches nothing without a hash, and is verified at the cost of a real hash", async () => {
    const hash = await hashPassword(PASSWORD);
    vi.mocked(argon2.verify).mockClear();
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true);
    expect(await verifyPassword({ hash: undefined, password: PASSWORD })).toBe(false);
    const [real, dummy] = vi.mocked(argon2.verify).mock.calls.map(([verified]) => argon2.parseOptions(verified));
    expect(dummy).toEqual(real);
    expect(dummy).toMatchObject({ memoryCost: 47_104, timeCost: 1, parallelism: 1 });
  });
});

describe("hashing", () => {
  const places = hashesAtOnce(availableParallelism());

  it("leaves a core to everyone else where there is another, and never takes more than two", () => {
    expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 2, 2]);
  });

  it("runs in its places at once, and refuses requests when a hundred wait", async () => {
    const { running, most, end } = holdHashes();
    const all = outcomes(Array.from({ length: 110 }, () => hashPassword(PASSWORD)));
    const [late] = await Promise.allSettled([hashPassword(PASSWORD)]);
    expect(late).toMatchObject({ reason: { code: "overloaded", headers: { "Retry-After": expect.any(String) } } });
    for (let ended = 0; ended < 100 + places; ended++) {
      await expect.poll(() => running.length, { interval: 1 }).toBeGreaterThan(0);
      end();
    }
    const { done, refused } = await all;
    expect(most()).toBe(places);
    expect(done).toBe(100 + places);
    expect(refused).toEqual(Array(10 - places).fill("overloaded"));
  });

  it("is skipped when the client disconnects while waiting, and the place is free at once", async () => {
    const { running, end } = holdHashes();
    const first = Array.from({ length: places }, () => hashPassword(PASSWORD));
    const client = new AbortController();
    const waiting = outcomes(Array.from({ length: 100 }, () => hashPassword(PASSWORD, client.signal)));
    client.abort();
    expect((await waiting).done).toBe(0);
    const next = hashPassword(PASSWORD);
    expect(running).toHaveLength(places);
    for (let i = 0; i < places + 1; i++) {
      await expect.poll(() => running.length, { interval: 1 }).toBeGreaterThan(0);
      end();
    }
    await Promise.all([...first, next]);
    expect(vi.mocked(argon2.hash)).toHaveBeenCalledTimes(places + 1);
    await expect(hashPassword(PASSWORD, client.signal)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("is done for a known browser before the others that wait", async () => {
    const order: string[] = [];
    const verify = async (name: string, isKnown: boolean) => {
      await verifyPassword({ hash: undefined, password: name, isKnown });
      order.push(name);
    };
    const strangers = Array.from({ length: places + 5 }, (_, at) => verify(`stranger ${at}`, false));
    await Promise.all([...strangers, verify("known", true)]);
    expect(order.indexOf("known")).toBeLessThanOrEqual(2 * places);
  });

  it("frees its place when it fails", async () => {
    vi.mocked(argon2.hash).mockRejectedValue(new Error("out of memory"));
    const { done } = await outcomes(Array.from({ length: 10 }, () => hashPassword(PASSWORD)));
    expect(done).toBe(0);
    vi.mocked(argon2.hash).mockReset();
    expect(await hashPassword(PASSWORD)).toMatch(/^\$argon2id/);
  });
});
