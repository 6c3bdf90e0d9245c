import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  FULL_BUCKET_MS,
  FULL_BUCKETS_KEPT,
  LOGIN_FAILED_MS,
  LOGINS_AT_ONCE,
  LOGINS_AT_ONCE_PER_ADDRESS,
  LOGINS_AT_ONCE_PER_DEVICE,
} from "#lib/access/access-limits.ts";
import { FullBuckets } from "#lib/access/login/full-buckets.ts";
import { limitInFlight } from "#lib/access/login/in-flight.ts";
import { logIn } from "#lib/access/login.ts";
import { Lanes } from "#lib/db/lanes.ts";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, PASSWORD } from "./people.ts";
import { statementsOf } from "./statements.ts";

useDatabase();

const wrong = (address: string) =>
  logIn({ email: "ada@example.com", password: "not the right password", caller: { ...CALLER, address } });

describe("a full bucket", () => {
  it("is refused without a query until an attempt comes back", () => {
    let now = 0;
    const full = new FullBuckets(() => now);
    full.add("a", 1.5);
    expect(full.waitSeconds("a")).toBe(1.5);
    now = 1_000;
    expect(full.waitSeconds("a")).toBe(0.5);
    now = 1_500;
    expect(full.waitSeconds("a")).toBeUndefined();
    expect(full.waitSeconds("b")).toBeUndefined();
  });

  it("is asked about again after a moment, because a command may have emptied it", () => {
    let now = 0;
    const full = new FullBuckets(() => now);
    full.add("a", 600);
    now = FULL_BUCKET_MS - 1;
    expect(full.waitSeconds("a")).toBeCloseTo(600, -1);
    now = FULL_BUCKET_MS;
    expect(full.waitSeconds("a")).toBeUndefined();
  });

  it("is one of a bounded number, and the oldest is forgotten", () => {
    const full = new FullBuckets(() => 0);
    for (let i = 0; i <= FULL_BUCKETS_KEPT; i++) full.add(String(i), 1);
    expect(full.waitSeconds("0")).toBeUndefined();
    expect(full.waitSeconds("1")).toBe(1);
    expect(full.waitSeconds(String(FULL_BUCKETS_KEPT))).toBe(1);
  });

  it("of an address takes no query from a flood of logins", async () => {
    await addUser("ada");
    for (let i = 0; i < 101; i++) await wrong("198.18.0.1").catch(() => undefined);
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 20; i++) await expectRefusal(wrong("198.18.0.1"), "rate_limited");
    });
    expect(statements.length).toBeLessThan(20);
  });
});

describe("for connections, beside a flood of strangers' logins", () => {
  /** The lanes in which an act waits for the database, in order. */
  async function lanesOf(act: () => Promise<unknown>) {
    const run = vi.spyOn(Lanes.prototype, "run");
    await act().catch(() => undefined);
    const lanes = run.mock.calls.map(([lane]) => lane);
    run.mockRestore();
    return lanes;
  }

  it("a known browser waits for owners only, whether its password is right or wrong", async () => {
    await addUser("ada");
    const right = { email: "ada@example.com", password: PASSWORD, caller: CALLER };
    const known = { ...right, deviceCookie: (await logIn(right)).deviceCookie };
    for (const login of [known, { ...known, password: "not the right password" }])
      expect(new Set(await lanesOf(() => logIn(login)))).toEqual(new Set(["owners"]));
  });

  it("an unknown browser waits for strangers only until its password was right", async () => {
    await addUser("ada");
    await wrong("198.18.0.1").catch(() => undefined);
    const failed = await lanesOf(() => wrong("198.18.0.1"));
    expect(new Set(failed)).toEqual(new Set(["logins"]));
    const lanes = await lanesOf(() => logIn({ email: "ada@example.com", password: PASSWORD, caller: CALLER }));
    // Both count the login and find its user. Only the failed one records that it failed.
    expect(lanes.lastIndexOf("logins")).toBe(failed.length - 2);
    expect(lanes.indexOf("owners")).toBe(failed.length - 1);
  });
});

describe("logins at the same moment", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Logins that end together. */
  function hold(count: number, caller: (at: number) => { address: string; device: string | undefined }) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = Array.from({ length: count }, (_, at) => limitInFlight(caller(at), () => ended));
    return { held: Promise.allSettled(held), end };
  }

  const enter = (address: string, device?: string) => limitInFlight({ address, device }, async () => "entered");

  const fail = (address: string, code: ErrorCode) =>
    expectRefusal(
      limitInFlight({ address, device: undefined }, () => Promise.reject(new AppError(code, "failed"))),
      code,
    );

  it("are bounded for an address, and other addresses go on", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE_PER_ADDRESS, () => ({ address: "192.0.2.1", device: undefined }));
    const refusal = enter("192.0.2.1");
    await expectRefusal(refusal, "rate_limited");
    await expect(refusal).rejects.toMatchObject({ headers: { "Retry-After": "1" } });
    expect(await enter("192.0.2.2")).toBe("entered");
    end();
    await held;
    expect(await enter("192.0.2.1")).toBe("entered");
  });

  it("are bounded in all, except for known browsers", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE, (at) => ({ address: `198.51.100.${at}`, device: undefined }));
    await expectRefusal(enter("192.0.2.1"), "overloaded");
    expect(await enter("192.0.2.1", "device")).toBe("entered");
    end();
    await held;
    expect(await enter("192.0.2.1")).toBe("entered");
  });

  it("of an IPv6 /48 count together, because one client may have all of its subnets", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE, (at) => ({ address: `2001:db8:1:${at}::1`, device: undefined }));
    await expectRefusal(enter("2001:db8:1:ffff::1"), "rate_limited");
    expect(await enter("2001:db8:2::1")).toBe("entered");
    end();
    await held;
  });

  it.each([3, 5, 12])("of %i addresses that send as many as they can leave places to others", async (count) => {
    const { held, end } = hold(LOGINS_AT_ONCE * 2, (at) => ({ address: `192.0.2.${at % count}`, device: undefined }));
    const others = hold(6, (at) => ({ address: `198.51.100.${at}`, device: undefined }));
    others.end();
    expect((await others.held).map(({ status }) => status)).toEqual(Array(6).fill("fulfilled"));
    end();
    await held;
  });

  it("of many addresses whose last ones failed leave places to others, for a while", async () => {
    vi.useFakeTimers();
    const flood = (at: number) => ({ address: `192.0.2.${at}`, device: undefined });
    for (let at = 0; at < LOGINS_AT_ONCE; at++) await fail(flood(at).address, "unauthorized");
    const during = hold(LOGINS_AT_ONCE, flood);
    expect(await enter("198.51.100.1")).toBe("entered");
    during.end();
    await during.held;
    vi.advanceTimersByTime(LOGIN_FAILED_MS);
    const after = hold(LOGINS_AT_ONCE, flood);
    await expectRefusal(enter("198.51.100.1"), "overloaded");
    after.end();
    await after.held;
  });

  it("that the service could not answer do not count against their addresses", async () => {
    for (let i = 0; i < LOGINS_AT_ONCE_PER_ADDRESS; i++) await fail("203.0.113.9", "unavailable");
    const { held, end } = hold(LOGINS_AT_ONCE - 1, (at) => ({ address: `198.51.100.${at}`, device: undefined }));
    expect(await enter("203.0.113.9")).toBe("entered");
    end();
    await held;
  });

  it("of many people at one address go on while others fail there", async () => {
    for (let i = 0; i < 100; i++) await fail("203.0.113.1", "unauthorized");
    const { held, end } = hold(LOGINS_AT_ONCE_PER_ADDRESS, () => ({ address: "203.0.113.1", device: undefined }));
    end();
    expect((await held).filter(({ status }) => status === "fulfilled")).toHaveLength(LOGINS_AT_ONCE_PER_ADDRESS);
  });

  it("are bounded for a known browser, whatever its address", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE_PER_DEVICE, (at) => ({ address: `198.51.100.${at}`, device: "stolen" }));
    await expectRefusal(enter("192.0.2.1", "stolen"), "rate_limited");
    expect(await enter("192.0.2.1", "own")).toBe("entered");
    end();
    await held;
  });

  it("with an invented device cookie count as those without, and it takes no query", async () => {
    await addUser("ada");
    const address = "192.0.2.9";
    const { held, end } = hold(LOGINS_AT_ONCE_PER_ADDRESS, () => ({ address, device: undefined }));
    // The first login of a process reads the key.
    await logIn({ email: "ada@example.com", password: PASSWORD, caller: CALLER });
    const statements = await statementsOf(async () => {
      const deviceCookie = randomBytes(32).toString("base64url");
      const login = { email: "ada@example.com", password: PASSWORD, deviceCookie, caller: { ...CALLER, address } };
      await expectRefusal(logIn(login), "rate_limited");
    });
    expect(statements).toEqual([]);
    end();
    await held;
  });

  it("give their place back when they fail", async () => {
    for (let i = 0; i <= LOGINS_AT_ONCE; i++) await fail("192.0.2.1", "unauthorized");
    expect(await enter("192.0.2.1")).toBe("entered");
  });

  it("that are too many ask the database nothing", async () => {
    await addUser("ada");
    const address = "192.0.2.9";
    const { held, end } = hold(LOGINS_AT_ONCE_PER_ADDRESS, () => ({ address, device: undefined }));
    const attempt = () => logIn({ email: "ada@example.com", password: PASSWORD, caller: { ...CALLER, address } });
    expect(await statementsOf(attempt)).toEqual([]);
    end();
    await held;
    await expect(attempt()).resolves.toHaveProperty("secret");
  });
});
