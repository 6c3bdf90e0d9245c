import { describe, expect, test, vi } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { AppError } from "#lib/errors.ts";
import { limitDecodings, limitFetches } from "#lib/images/image-turns.ts";
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

  test("goes to a caller with fewer, also from a render that is still prepared", async () => {
    const {
      browsers,
      pool,
      config: usual,
      render,
    } = await startPool({ size: 2, config: configWith({ queueLimit: 1 }) });
    // As one that waits for its turn to decode an image.
    const prepare = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const slow = [0, 1, 2].map(() => watch(pool.render(prepare, { config: usual, caller: "slow" })));
    await settle();
    const other = render("other", { caller: "other" });
    browsers.finishAll();
    await other.done;
    expect([other.outcome, ...slow.map(({ outcome }) => outcome)]).toEqual([
      "done",
      undefined,
      undefined,
      "overloaded",
    ]);
  });

  describe("where each caller has one", () => {
    const usual = configWith({ queueLimit: 2 });

    /** A render that shows an image of so many pixels, and whose document is never made. */
    const image = (pixels: number) => (signal: AbortSignal) =>
      limitDecodings(async () => undefined, { pixels }).then(
        () => new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      );

    async function startFull(config = usual) {
      const started = await startPool({ config });
      const { pool } = started;
      const waiting = [20, 50, 30].map((pixels) =>
        watch(pool.render(image(pixels * 1e6), { config, caller: `${pixels}` })),
      );
      await settle();
      return { ...started, outcomes: () => waiting.map(({ outcome }) => outcome) };
    }

    test("goes to a caller with none from the render with the most pixels to draw", async () => {
      const { browsers, render, outcomes } = await startFull();
      browsers.finishAll();
      const text = render("text", { caller: "single" });
      await text.done;
      expect([text.outcome, ...outcomes()]).toEqual(["done", undefined, "overloaded", undefined]);
    });

    test("goes to a caller with none from the render that has waited longest for a server", async () => {
      vi.useFakeTimers({ toFake: ["performance"] });
      const { browsers, pool, render } = await startPool({ config: usual });
      const silent = (signal: AbortSignal) =>
        limitFetches(() => abortable(new Promise<never>(() => undefined), signal), { signal, host: "silent.example" });
      const fetched = (caller: string) => watch(pool.render(silent, { config: usual, caller }));
      const small = watch(pool.render(image(1e6), { config: usual, caller: "small" }));
      const first = fetched("first");
      await settle();
      vi.advanceTimersByTime(1_000);
      const second = fetched("second");
      await settle();
      vi.advanceTimersByTime(10);
      browsers.finishAll();
      const text = render("text", { caller: "single" });
      await text.done;
      expect([text, small, first, second].map(({ outcome }) => outcome)).toEqual([
        "done",
        undefined,
        "overloaded",
        undefined,
      ]);
    });

    test("goes to a caller with none while images of clients that are gone are still decoded", async () => {
      const { browsers, pool, render, outcomes } = await startFull(configWith({ queueLimit: 4 }));
      const config = configWith({ queueLimit: 4 });
      const client = new AbortController();
      const decoded = Promise.withResolvers<ReturnType<typeof jobNamed>>();
      const prepare = () => limitDecodings(async () => undefined, { pixels: 90e6 }).then(() => decoded.promise);
      const request = { config, caller: "gone", signal: client.signal };
      const gone = [0, 1].map(() => watch(pool.render(prepare, request)));
      await settle();
      client.abort(new Error("gone"));
      await Promise.all(gone.map(({ done }) => done));
      browsers.finishAll();
      const text = render("text", { caller: "single", queueLimit: 4 });
      await text.done;
      decoded.resolve(jobNamed("gone"));
      expect([text.outcome, ...outcomes()]).toEqual(["done", undefined, "overloaded", undefined]);
    });

    test("goes to nobody who has one", async () => {
      const { render, outcomes } = await startFull();
      const second = render("second", { caller: "20" });
      await second.done;
      expect([second.outcome, ...outcomes()]).toEqual(["overloaded", undefined, undefined, undefined]);
    });

    test("goes to nobody when all show texts", async () => {
      const { render } = await startPool({ config: usual });
      const texts = ["a", "b", "c"].map((caller) => render(caller, { caller }));
      await settle();
      const late = render("late", { caller: "late" });
      await late.done;
      expect([late.outcome, ...texts.map(({ outcome }) => outcome)]).toEqual([
        "overloaded",
        undefined,
        undefined,
        undefined,
      ]);
    });
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
