import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  FULL_BUCKET_MS,
  FULL_BUCKETS_KEPT,
  LOGINS_AT_ONCE,
  LOGINS_AT_ONCE_PER_ADDRESS,
  LOGINS_AT_ONCE_PER_DEVICE,
} from "#lib/access/access-limits.ts";
import { FullBuckets } from "#lib/access/login/full-buckets.ts";
import { limitInFlight } from "#lib/access/login/in-flight.ts";
import { logIn } from "#lib/access/login.ts";
import { Lanes, nameRequesters } from "#lib/db/lanes.ts";
import { LongTasks } from "#lib/db/long-tasks.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, PASSWORD } from "./people.ts";
import { statementsOf } from "./statements.ts";

useDatabase();

afterEach(() => vi.useRealTimers());

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
    for (let i = 0; i < 101; i++) await wrong("192.0.2.1").catch(() => undefined);
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 20; i++) await expectRefusal(wrong("192.0.2.1"), "rate_limited");
    });
    expect(statements.length).toBeLessThan(20);
  });
});

describe("logins at the same moment", () => {
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

  it("are bounded for an address, and other addresses go on", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE_PER_ADDRESS, () => ({ address: "a", device: undefined }));
    const refusal = enter("a");
    await expectRefusal(refusal, "rate_limited");
    await expect(refusal).rejects.toMatchObject({ headers: { "Retry-After": "1" } });
    expect(await enter("b")).toBe("entered");
    end();
    await held;
    expect(await enter("a")).toBe("entered");
  });

  it("are bounded in all, except for known browsers", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE, (at) => ({ address: String(at), device: undefined }));
    await expectRefusal(enter("a"), "overloaded");
    expect(await enter("a", "device")).toBe("entered");
    end();
    await held;
    expect(await enter("a")).toBe("entered");
  });

  it("are bounded for a known browser, whatever its address", async () => {
    const { held, end } = hold(LOGINS_AT_ONCE_PER_DEVICE, (at) => ({ address: String(at), device: "stolen" }));
    await expectRefusal(enter("a", "stolen"), "rate_limited");
    expect(await enter("a", "own")).toBe("entered");
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
      const deviceSecret = randomBytes(32).toString("base64url");
      const login = { email: "ada@example.com", password: PASSWORD, deviceSecret, caller: { ...CALLER, address } };
      await expectRefusal(logIn(login), "rate_limited");
    });
    expect(statements).toEqual([]);
    end();
    await held;
  });

  it("give their place back when they fail", async () => {
    for (let i = 0; i <= LOGINS_AT_ONCE; i++)
      await limitInFlight({ address: "a", device: undefined }, () => Promise.reject(new Error("wrong"))).catch(
        () => undefined,
      );
    expect(await enter("a")).toBe("entered");
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

describe("connections", () => {
  /** Runs tasks that end when told, and notes the order in which they begin. */
  function run(lanes: Lanes) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const add = (lane: "requests" | "logins", name: string) =>
      lanes.run(lane, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    return { begun, ends, add };
  }

  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("are never all held by logins", async () => {
    const { begun, add } = run(new Lanes(10));
    for (let i = 0; i < 250; i++) void add("logins", `login ${i}`);
    await settle();
    expect(begun).toHaveLength(5);
    for (let i = 0; i < 5; i++) void add("requests", `request ${i}`);
    await settle();
    expect(begun.slice(5)).toEqual(["request 0", "request 1", "request 2", "request 3", "request 4"]);
  });

  it("serve logins behind everything else where there is only one", async () => {
    const { begun, ends, add } = run(new Lanes(1));
    for (const name of ["login 1", "login 2"]) void add("logins", name);
    for (const name of ["request 1", "request 2"]) void add("requests", name);
    for (const name of ["login 1", "request 1", "request 2", "login 2"]) {
      await settle();
      expect(begun.at(-1)).toBe(name);
      ends.get(name)?.();
    }
    await settle();
    expect(begun).toHaveLength(4);
  });

  it("serve a login after a few other tasks, however many wait", async () => {
    const { begun, ends, add } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void add("requests", `request ${i}`);
    void add("logins", "login");
    for (let i = 0; i < 5; i++) {
      await settle();
      ends.get(begun.at(-1) ?? "")?.();
    }
    expect(begun.indexOf("login")).toBe(3);
  });

  it("serve addresses in turn", async () => {
    let address = "flood";
    nameRequesters(() => address);
    const { begun, ends, add } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void add("requests", `flood ${i}`);
    address = "other";
    void add("requests", "other");
    nameRequesters(() => "");
    for (let i = 0; i < 4; i++) {
      await settle();
      ends.get(begun.at(-1) ?? "")?.();
    }
    expect(begun.indexOf("other")).toBeLessThan(3);
  });

  it("serve addresses with short tasks for as long as the long ones of others take", async () => {
    let address = "";
    let clock = 0;
    nameRequesters(() => address);
    const lanes = new Lanes(1, () => clock);
    const begun: string[] = [];
    const add = (from: string, ms: number) => {
      address = from;
      void lanes.run("requests", async (begin) => {
        begin();
        begun.push(`${from} ${ms}`);
        await settle();
        clock += ms;
      });
    };
    for (let i = 0; i < 3; i++) for (const from of ["192.0.2.1", "192.0.2.2"]) add(from, 40);
    for (let i = 0; i < 30; i++) add("192.0.2.3", 4);
    nameRequesters(() => "");
    await vi.waitFor(() => expect(begun).toHaveLength(36));
    const order = begun.map((task) => (task.endsWith(" 40") ? "L" : "s")).join("");
    expect(order).toBe(`LLL${"s".repeat(10)}L${"s".repeat(10)}L${"s".repeat(10)}L`);
  });

  it("are left to those whose tasks usually take less than a quarter as long", () => {
    let now = 1_000;
    const long = new LongTasks(() => now);
    const last = () => ["new", "short", "once", "mixed", "long"].filter((network) => long.isLast(network));
    for (const ms of [40, 40, 1, 40, 40, 1]) long.note("mixed", ms);
    for (const [network, ms] of Object.entries({ once: 1, long: 30, short: 4 })) long.note(network, ms);
    for (const [network, ms] of Object.entries({ once: 30, long: 40, short: 6 })) long.note(network, ms);
    expect(last()).toEqual(["new", "mixed", "long"]);
    for (let i = 0; i < 4; i++) long.note("mixed", 1);
    expect(last()).toEqual(["new", "long"]);
    expect(long.isResting).toBe(true);
    now = 1_040;
    expect(long.isResting).toBe(false);
  });

  it("serve those that are new, while many others take long now and then", async () => {
    let address = "";
    let clock = 0;
    nameRequesters(() => address);
    const lanes = new Lanes(1, () => clock);
    const ask = async (from: string, ms: number) => {
      address = from;
      await lanes.run("requests", async (begin) => {
        begin();
        await settle();
        clock += ms;
      });
    };
    let tasks = 0;
    let isOver = false;
    const keepAsking = async (from: string) => {
      while (!isOver) await ask(from, ++tasks % 20 === 0 ? 70 + (tasks % 60) : 1);
    };
    const others = Array.from({ length: 60 }, (_, at) => keepAsking(`198.51.100.${at % 30}`));
    while (clock < 2_000) await settle();
    const waits: number[] = [];
    for (let at = 0; at < 20; at++) {
      const askedAt = clock;
      await ask(`192.0.2.${at}`, 1);
      waits.push(clock - askedAt);
    }
    isOver = true;
    await Promise.all(others);
    nameRequesters(() => "");
    // With plain turns up to half a second.
    expect(Math.max(...waits)).toBeLessThan(1_500);
  });

  it("count the time of tasks that have begun", async () => {
    const note = vi.spyOn(LongTasks.prototype, "note");
    let clock = 0;
    const lanes = new Lanes(1, () => clock);
    await expect(lanes.run("requests", () => Promise.reject(new Error("gave up")))).rejects.toThrow("gave up");
    expect(note).not.toHaveBeenCalled();
    await lanes.run("requests", async (begin) => {
      clock += 500;
      begin();
      clock += 20;
    });
    expect(note.mock.calls.map(([, ms]) => ms)).toEqual([20]);
  });

  it("go on after a task that fails", async () => {
    const lanes = new Lanes(1);
    for (const lane of ["logins", "requests"] as const)
      await expect(lanes.run(lane, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await lanes.run("logins", async () => "done")).toBe("done");
  });
});
