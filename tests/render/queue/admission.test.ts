import { afterEach, describe, expect, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { PAGES_CALLER } from "#lib/render/queue/fair-queue.ts";
import { RetryEstimate } from "#lib/render/queue/retry-estimate.ts";
import { configWith, jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

afterEach(() => void vi.useRealTimers());

describe("a full queue", () => {
  const config = configWith({ queueLimit: 20 });

  test("belongs to a lone caller as a whole, and refuses the rest before they are prepared", async () => {
    const { browsers, pool } = await startPool({ size: 2, config });
    let prepared = 0;
    const asked = many(30, "r").map((name) =>
      watch(
        pool.render(
          async () => {
            prepared++;
            return jobNamed(name);
          },
          { config, caller: "alone" },
        ),
      ),
    );
    await settle();
    const refused = asked.filter(({ outcome }) => outcome === "overloaded");
    expect(refused).toEqual(asked.slice(22));
    expect(prepared).toBe(5);
    expect(pool.state).toMatchObject({ waiting: 20, placesTaken: 20, rendering: 2 });
    browsers.finishAll();
    await Promise.all(asked.map(({ done }) => done));
    expect(asked.filter(({ outcome }) => outcome === "done")).toHaveLength(22);
  });

  test("prepares none of the renders whose clients have disconnected, and keeps no place for them", async () => {
    const { pool } = await startPool({ size: 1, config });
    const clients = new AbortController();
    let prepared = 0;
    const untilAbort = (signal: AbortSignal) => {
      prepared++;
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    };
    const asked = many(20, "r").map(() =>
      watch(pool.render(untilAbort, { config, caller: "alone", signal: clients.signal })),
    );
    await settle();
    const ahead = prepared;
    clients.abort();
    await Promise.all(asked.map(({ done }) => done));
    await settle();
    expect(prepared).toBe(ahead);
    expect(pool.state).toMatchObject({ waiting: 0, placesTaken: 0 });
  });

  test("is shared as soon as another caller comes: the one with the most places loses its newest", async () => {
    const { browsers, render } = await startPool({ size: 2, config });
    const greedy = many(22, "g").map((name) => render(name, { caller: "greedy" }));
    await settle();
    const modest = many(15, "m").map((name) => render(name, { caller: "modest" }));
    await settle();
    browsers.finishAll();
    await Promise.all([...greedy, ...modest].map(({ done }) => done));
    const outcomes = (all: typeof greedy) => all.map(({ outcome }) => outcome);
    // Two of the first caller's are being rendered. Of the twenty places, each caller ends up with ten.
    expect(outcomes(greedy)).toEqual([...Array(12).fill("done"), ...Array(10).fill("overloaded")]);
    expect(outcomes(modest)).toEqual([...Array(10).fill("done"), ...Array(5).fill("overloaded")]);
    for (const { error } of [greedy[21], modest[14]].map((one) => one ?? expect.fail()))
      expect(error).toMatchObject({ headers: { "Retry-After": expect.stringMatching(/^[1-9]\d?$/) } });
  });

  test("refuses a caller that has as many places as the others, and takes none from them", async () => {
    const { browsers, render, pool } = await startPool({ size: 2, config: configWith({ queueLimit: 4 }) });
    const asked = [..."abcdef"].map((caller) => render(caller, { caller }));
    await settle();
    expect(pool.state).toMatchObject({ waiting: 4, rendering: 2 });
    const late = render("g", { caller: "g" });
    await late.done;
    expect(late.outcome).toBe("overloaded");
    browsers.finishAll();
    await Promise.all(asked.map(({ done }) => done));
    expect(asked.map(({ outcome }) => outcome)).toEqual(Array(6).fill("done"));
  });

  test("has room for exactly as many renders as it may hold, beside those that browsers work on", async () => {
    const { render } = await startPool({ config: configWith({ queueLimit: 0 }) });
    const first = render("first");
    await settle();
    const second = render("second");
    await second.done;
    expect([first.outcome, second.outcome]).toEqual([undefined, "overloaded"]);
  });

  test("has no place taken by the pictures of the service's own pages, which displace no request", async () => {
    const { browsers, pool, render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const pages = many(4, "p").map((name) => render(name, { caller: PAGES_CALLER }));
    await settle();
    expect(pool.state).toMatchObject({ waiting: 3, placesTaken: 0, rendering: 1 });
    const asked = many(3, "r").map((name) => render(name));
    await settle();
    expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, "overloaded"]);
    const another = render("another page", { caller: PAGES_CALLER });
    browsers.finishAll();
    await Promise.all([...pages, ...asked, another].map(({ done }) => done));
    expect([...pages, ...asked.slice(0, 2), another].map(({ outcome }) => outcome)).toEqual(Array(7).fill("done"));
  });

  test("takes nothing from the pages' pictures for a request: they have no place to give", async () => {
    const { render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const pages = many(6, "p").map((name) => render(name, { caller: PAGES_CALLER }));
    await settle();
    const asked = many(3, "r").map((name, index) => render(name, { caller: `caller ${index}` }));
    await settle();
    expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, "overloaded"]);
    expect(pages.map(({ outcome }) => outcome)).toEqual(Array(6).fill(undefined));
  });
});

describe("Retry-After", () => {
  async function retryAfter(size: number): Promise<string | undefined> {
    const { render } = await startPool({ size, config: configWith({ queueLimit: 63 }) });
    const asked = many(64 + size, "r").map((name) => render(name));
    const last = asked.at(-1) ?? expect.fail();
    await last.done;
    expect(last.outcome).toBe("overloaded");
    return (last.error as AppError).headers["Retry-After"];
  }

  test("is the time that the browsers need together for the renders that wait, and this one", async () => {
    // 64 renders of 100 ms, until one was timed.
    expect([await retryAfter(1), await retryAfter(2), await retryAfter(4)]).toEqual(["7", "4", "2"]);
  });

  test("grows with the time that browsers took for renders", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { browsers, render } = await startPool({ config: configWith({ queueLimit: 0 }) });
    for (const name of many(3, "slow")) {
      const slow = render(name);
      await settle();
      vi.advanceTimersByTime(60_000);
      browsers.render(name).finish();
      await slow.done;
      await settle();
    }
    render("running");
    await settle();
    const refused = render("refused");
    await refused.done;
    // 0.1 + 0.1 × (60 - 0.1) after the first, and so on.
    expect(refused.error).toMatchObject({ headers: { "Retry-After": "17" } });
  });

  test("follows what renders take, is at least a second and at most a minute", () => {
    const secondsOf = (estimate: RetryEstimate, waiting: number) =>
      [estimate.refuse(waiting), estimate.displace(waiting)].map(({ headers }) => headers["Retry-After"]);
    const estimate = new RetryEstimate(2);
    expect(secondsOf(estimate, 0)).toEqual(["1", "1"]);
    estimate.note(1_100);
    expect(secondsOf(estimate, 9)).toEqual(["1", "1"]);
    expect(secondsOf(estimate, 10)).toEqual(["2", "2"]);
    for (let count = 0; count < 200; count++) estimate.note(1_000);
    expect(secondsOf(estimate, 9)).toEqual(["5", "5"]);
    expect(secondsOf(estimate, 1_000)).toEqual(["60", "60"]);
  });
});

describe("a place in the queue", () => {
  const config = configWith({ queueLimit: 0 });

  test("is free again when the preparation fails, with the error that it threw", async () => {
    const { browsers, pool, render } = await startPool({ config });
    browsers.finishAll();
    const fault = new AppError("invalid_data", "no such value");
    for (let count = 0; count < 3; count++) {
      const failed = watch(pool.render(() => Promise.reject(fault), { config, caller: "" }));
      await failed.done;
      expect(failed.error).toBe(fault);
    }
    const next = render("next");
    await next.done;
    expect(next.outcome).toBe("done");
    expect(browsers.names).toEqual(["next"]);
  });

  test("is free again after its render", async () => {
    const { browsers, pool, render } = await startPool({ config });
    browsers.finishAll();
    for (const name of ["one", "two"]) {
      const next = render(name);
      await next.done;
      await settle();
      expect(next.outcome).toBe("done");
      expect(pool.state).toMatchObject({ waiting: 0, rendering: 0 });
    }
  });

  test("is taken while a render is prepared", async () => {
    const { pool, render } = await startPool({ config });
    const prepared = Promise.withResolvers<ReturnType<typeof jobNamed>>();
    const first = watch(pool.render(() => prepared.promise, { config, caller: "" }));
    const second = render("second");
    await second.done;
    expect(second.outcome).toBe("overloaded");
    prepared.resolve(jobNamed("first"));
    await settle();
    expect([first.outcome, pool.state.rendering]).toEqual([undefined, 1]);
  });

  test("is free again after its client disconnects, once the preparation has really stopped", async () => {
    const { browsers, pool, render } = await startPool({ config });
    const client = new AbortController();
    const prepared = Promise.withResolvers<ReturnType<typeof jobNamed>>();
    let seen: AbortSignal | undefined;
    const prepare = (signal: AbortSignal) => {
      seen = signal;
      return prepared.promise;
    };
    const abandoned = watch(pool.render(prepare, { config, caller: "", signal: client.signal }));
    client.abort(new Error("gone"));
    await abandoned.done;
    expect([abandoned.outcome, seen?.aborted]).toEqual(["Error: gone", true]);
    const early = render("early");
    await early.done;
    expect(early.outcome).toBe("overloaded");
    prepared.resolve(jobNamed("abandoned"));
    await settle();
    const late = render("late");
    browsers.finishAll();
    await late.done;
    expect(late.outcome).toBe("done");
    expect(browsers.names).toEqual(["late"]);
  });

  test("is free at once when the client of a waiting render disconnects", async () => {
    const { browsers, pool, render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    render("running");
    await settle();
    const client = new AbortController();
    const request = { config: configWith({ queueLimit: 1 }), caller: "", signal: client.signal };
    const waiting = watch(pool.render(async () => jobNamed("waiting"), request));
    await settle();
    client.abort(new Error("gone"));
    await waiting.done;
    const next = render("next");
    await settle();
    expect([waiting.outcome, next.outcome, pool.state.waiting]).toEqual(["Error: gone", undefined, 1]);
    browsers.finishAll();
    await next.done;
    expect(browsers.names).toEqual(["running", "next"]);
  });

  test("is free at once when the client of a render that is not even prepared disconnects", async () => {
    const { browsers, pool, config: usual, render } = await startPool({ config: configWith({ queueLimit: 3 }) });
    const others = ["running", "one", "two"].map((name) => render(name));
    await settle();
    const client = new AbortController();
    let isPrepared = false;
    const prepare = async () => {
      isPrepared = true;
      return jobNamed("abandoned");
    };
    const abandoned = watch(pool.render(prepare, { config: usual, caller: "", signal: client.signal }));
    await settle();
    expect(pool.state.waiting).toBe(3);
    client.abort(new Error("gone"));
    await abandoned.done;
    expect(pool.state.waiting).toBe(2);
    browsers.finishAll();
    await Promise.all(others.map(({ done }) => done));
    expect([isPrepared, browsers.names]).toEqual([false, ["running", "one", "two"]]);
  });

  test("of an abandoned preparation goes to the next render once it has stopped", async () => {
    const { browsers, pool, config: usual, render } = await startPool({ config: configWith() });
    const client = new AbortController();
    const stopped = Promise.withResolvers<ReturnType<typeof jobNamed>>();
    const request = { config: usual, caller: "", signal: client.signal };
    const abandoned = [0, 1].map(() => watch(pool.render(() => stopped.promise, request)));
    const next = render("next");
    client.abort(new Error("gone"));
    await Promise.all(abandoned.map(({ done }) => done));
    await settle();
    expect(browsers.names).toEqual([]);
    stopped.resolve(jobNamed("abandoned"));
    await settle();
    expect(browsers.names).toEqual(["next"]);
    browsers.finishAll();
    await next.done;
  });

  test("is never taken by a client that has already disconnected, nor from another for it", async () => {
    const { browsers, pool, render } = await startPool({ config: configWith({ queueLimit: 2 }) });
    const others = ["one", "two", "three"].map((name) => render(name, { caller: "other" }));
    await settle();
    const signal = AbortSignal.abort(new Error("gone"));
    const late = watch(
      pool.render(async () => jobNamed("late"), { config: configWith({ queueLimit: 2 }), caller: "late", signal }),
    );
    await late.done;
    expect([late.outcome, pool.state.waiting]).toEqual(["Error: gone", 2]);
    browsers.finishAll();
    await Promise.all(others.map(({ done }) => done));
    expect(others.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  });
});
