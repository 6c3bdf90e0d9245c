import { afterEach, describe, expect, it, vi } from "vitest";
import { type Lane, Lanes, nameRequesters } from "#lib/db/lanes.ts";
import { LongTasks } from "#lib/db/long-tasks.ts";

afterEach(() => {
  nameRequesters(() => "");
  vi.restoreAllMocks();
});

describe("connections", () => {
  /** Runs tasks that end when told, and notes the order in which they begin. */
  function run(lanes: Lanes) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const add = (lane: Lane, name: string) =>
      lanes.run(lane, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    /** Ends the task that began last, and lets the next one begin, so many times. */
    const endNewest = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await settle();
        ends.get(begun.at(-1) ?? "")?.();
      }
    };
    return { begun, ends, add, endNewest };
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
    const { begun, add, endNewest } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void add("requests", `request ${i}`);
    void add("logins", "login");
    await endNewest(5);
    expect(begun.indexOf("login")).toBe(3);
  });

  it("serve an owner's login beside a flood of strangers', not behind all of it", async () => {
    const { begun, add, endNewest } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void add("logins", `stranger ${i}`);
    for (let i = 0; i < 3; i++) void add("owners", `owner ${i}`);
    await endNewest(7);
    const order = ["stranger 0", "owner 0", "stranger 1", "owner 1", "stranger 2", "owner 2", "stranger 3"];
    expect(begun.slice(0, 7)).toEqual(order);
  });

  it("serve requests before a flood of logins of owners and strangers together", async () => {
    const { begun, add, endNewest } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) {
      void add("requests", `request ${i}`);
      void add("owners", `owner ${i}`);
      void add("logins", `stranger ${i}`);
    }
    await endNewest(15);
    expect(begun.slice(0, 16).filter((name) => name.startsWith("request"))).toHaveLength(12);
    const { begun: held, add: addMore } = run(new Lanes(10));
    for (const lane of ["owners", "logins"] as const) for (let i = 0; i < 20; i++) void addMore(lane, lane);
    await settle();
    expect(held).toHaveLength(5);
  });

  it("are never all held by background work, which starts after a few other tasks", async () => {
    const { begun, add } = run(new Lanes(10));
    for (let i = 0; i < 20; i++) void add("background", `note ${i}`);
    void add("requests", "request");
    await settle();
    expect(begun).toEqual(["note 0", "note 1", "request"]);
    const single = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void single.add("requests", `request ${i}`);
    for (const lane of ["background", "logins"] as const) void single.add(lane, lane);
    await single.endNewest(10);
    expect([begun.length, single.begun.indexOf("logins"), single.begun.indexOf("background")]).toEqual([3, 3, 7]);
  });

  it.each([2, 3])("are never all held by logins and background work together, where there are %i", async (places) => {
    const { begun, ends, add } = run(new Lanes(places));
    for (let i = 0; i < 3; i++) for (const lane of ["background", "logins"] as const) void add(lane, `${lane} ${i}`);
    void add("requests", "request");
    await settle();
    expect(begun).toHaveLength(places);
    expect(begun.at(-1)).toBe("request");
    for (let ended = 0; ended < begun.length; ended++) {
      ends.get(begun[ended] ?? "")?.();
      await settle();
    }
    expect(begun).toHaveLength(7);
  });

  it("serve addresses in turn", async () => {
    let address = "flood";
    nameRequesters(() => address);
    const { begun, add, endNewest } = run(new Lanes(1));
    for (let i = 0; i < 20; i++) void add("requests", `flood ${i}`);
    address = "other";
    void add("requests", "other");
    await endNewest(4);
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
    // With plain turns up to half a second.
    expect(Math.max(...waits)).toBeLessThan(1_500);
  });

  it("serve a login from a new address after a few other tasks, also while short tasks go first", async () => {
    let address = "";
    let clock = 0;
    nameRequesters(() => address);
    const lanes = new Lanes(1, () => clock);
    const begun: string[] = [];
    const add = (lane: "requests" | "logins", from: string, ms: number) => {
      address = from;
      return lanes.run(lane, async (begin) => {
        begin();
        begun.push(`${lane} ${ms}`);
        await settle();
        clock += ms;
      });
    };
    await add("requests", "192.0.2.1", 1);
    await add("requests", "192.0.2.2", 400);
    const waiting = Array.from({ length: 20 }, () => add("requests", "192.0.2.1", 1));
    await Promise.all([...waiting, add("logins", "192.0.2.3", 2)]);
    expect(clock).toBeLessThan(800);
    expect(begun.indexOf("logins 2")).toBeLessThan(7);
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

  it("do not count the time for which a task keeps its place after its end", async () => {
    const note = vi.spyOn(LongTasks.prototype, "note");
    let clock = 0;
    const lanes = new Lanes(1, () => clock);
    await lanes.run("logins", async (begin, end) => {
      begin();
      clock += 20;
      end();
      clock += 500;
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
