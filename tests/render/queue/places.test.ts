import { describe, expect, test } from "vitest";
import { AppError } from "#lib/errors.ts";
import { configWith, jobNamed, settle, startPool, watch } from "./fake-browsers.ts";

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
