import sharp from "sharp";
import { afterEach, describe, expect, test, vi } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { AppError } from "#lib/errors.ts";
import { BrowserSpent } from "#lib/render/render-faults.ts";
import { configWith, hang, jobNamed, settle, startPool } from "./fake-browsers.ts";

afterEach(() => void vi.useRealTimers());

const uncompressed = () =>
  sharp({ create: { width: 100, height: 80, channels: 3, background: "#1d4ed8" } })
    .png({ compressionLevel: 0 })
    .toBuffer();

describe("a render whose browser is lost", () => {
  test("is rendered again by another, before all others of its caller", async () => {
    const { browsers, render } = await startPool();
    const [first, ...others] = ["first", "second", "third"].map((name) => render(name));
    await settle();
    const [lost] = browsers.workers;
    browsers.lose(lost ?? expect.fail());
    await settle();
    expect(browsers.names).toEqual(["first", "first"]);
    expect(browsers.render("first").worker).not.toBe(lost);
    browsers.finishAll();
    await Promise.all([first, ...others].map((one) => one?.done));
    expect(browsers.names).toEqual(["first", "first", "second", "third"]);
    expect([first, ...others].map((one) => one?.outcome)).toEqual(["done", "done", "done"]);
  });

  test("goes to a browser that is idle at once, while the lost one does not start again", async () => {
    const { browsers, render } = await startPool({ size: 2 });
    const only = render("only");
    await settle();
    browsers.onStart = hang;
    browsers.lose(browsers.render("only").worker);
    await settle();
    expect(browsers.names).toEqual(["only", "only"]);
    browsers.finishAll();
    await only.done;
    expect(only.outcome).toBe("done");
  });

  describe("and is a remote one", () => {
    const startRemotePool = async () => {
      const started = await startPool({ size: 2, config: configWith({ browserWs: "ws://browser.example" }) });
      const png = await uncompressed();
      started.browsers.picture = () => png;
      return started;
    };

    test("waits for a new connection, because the others are lost with it and only seem to be idle", async () => {
      const { browsers, render } = await startRemotePool();
      const only = render("only");
      await settle();
      const [first, second] = browsers.workers;
      if (!first || !second) expect.fail();
      const connected = Promise.withResolvers<void>();
      browsers.onStart = (signal) => abortable(connected.promise, signal);
      browsers.lose(first);
      await settle();
      browsers.lose(second);
      await settle();
      expect(browsers.names).toEqual(["only"]);
      connected.resolve();
      browsers.finishAll();
      await only.done;
      expect([only.outcome, browsers.names]).toEqual(["done", ["only", "only"]]);
    });

    test("goes to one that is still connected when no new connection can be opened", async () => {
      const { browsers, render } = await startRemotePool();
      const only = render("only");
      await settle();
      browsers.onStart = () => {
        throw new AppError("unavailable", "Too many sessions.");
      };
      browsers.lose(browsers.render("only").worker);
      await settle();
      browsers.finishAll();
      await only.done;
      expect([only.outcome, browsers.render("only").worker]).toEqual(["done", browsers.workers[1]]);
    });
  });

  test("fails when the second one is lost too, and is not tried a third time", async () => {
    const { browsers, render } = await startPool();
    const fatal = render("fatal");
    await settle();
    for (let count = 0; count < 2; count++) {
      browsers.lose(browsers.render("fatal").worker);
      await settle();
    }
    expect(browsers.names).toEqual(["fatal", "fatal"]);
    expect(fatal.error).toMatchObject({ code: "render_failed", message: expect.stringContaining("twice") });
    const next = render("next");
    browsers.finishAll();
    await next.done;
    expect(next.outcome).toBe("done");
  });

  test("goes from one that has no room left to the next, and fails with the reason when none has", async () => {
    const { browsers, render } = await startPool();
    const large = render("large");
    const full = new AppError("unavailable", "The disk is full.");
    for (let count = 0; count < 6; count++) {
      await settle();
      const { worker, fail } = browsers.render("large");
      fail(new BrowserSpent("Too little room.", { cause: full }));
      browsers.lose(worker);
    }
    await large.done;
    expect(browsers.names).toEqual(Array(6).fill("large"));
    expect(large.error).toBe(full);
  });

  test("is not tried again when its client has disconnected", async () => {
    const { browsers, pool, config } = await startPool();
    const client = new AbortController();
    const job = { html: "abandoned", width: 100, height: 80 };
    const work = pool.render(async () => job, { config, caller: "", signal: client.signal });
    work.catch(() => undefined);
    await settle();
    client.abort(new Error("gone"));
    await settle();
    browsers.lose(browsers.render("abandoned").worker);
    await settle();
    expect(browsers.names).toEqual(["abandoned"]);
    expect(pool.state.waiting).toBe(0);
  });

  test("has the time of both attempts in its stages", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { browsers, pool, config, render } = await startPool();
    render("running");
    const work = pool.render(async () => jobNamed("slow"), { config, caller: "" });
    await settle();
    vi.advanceTimersByTime(50);
    browsers.render("running").finish();
    await settle();
    vi.advanceTimersByTime(300);
    browsers.lose(browsers.render("slow").worker);
    await settle();
    vi.advanceTimersByTime(20);
    browsers.render("slow").finish();
    const { timings } = await work;
    expect(timings).toEqual({ queue: 350, compose: 0, load: 20, capture: 0, encode: 0 });
  });
});

describe("a render that its browser fails", () => {
  test("is not tried again: the document may be the reason", async () => {
    const { browsers, render } = await startPool();
    const [odd, known] = [render("odd"), render("known")];
    await settle();
    browsers.render("odd").fail(new Error("CDP"));
    await settle();
    const reason = new AppError("render_failed", "The document could not be measured.");
    browsers.render("known").fail(reason);
    await settle();
    expect(browsers.names).toEqual(["odd", "known"]);
    expect(odd.error).toMatchObject({ code: "render_failed", message: "The browser failed to render this picture." });
    expect(known.error).toBe(reason);
  });

  test("fails when its picture does not have the size of the document", async () => {
    const { browsers, render } = await startPool();
    browsers.picture = () => Buffer.from("no picture");
    browsers.finishAll();
    const broken = render("broken");
    await broken.done;
    expect(broken.outcome).toBe("render_failed");
  });
});

describe("the PNG of a browser", () => {
  test("is passed on as it is with SERVICE_RENDER_PNG=fast, but never that of a remote browser", async () => {
    const original = await uncompressed();
    const pngOf = async (browserWs: string | undefined) => {
      const { browsers, pool, config } = await startPool({ config: configWith({ browserWs }) });
      browsers.picture = () => original;
      browsers.finishAll();
      return (await pool.render(async () => jobNamed("any"), { config, caller: "" })).png;
    };
    expect((await pngOf(undefined)).equals(original)).toBe(true);
    const encoded = await pngOf("ws://browser.example");
    expect(encoded.length).toBeLessThan(original.length);
    const [got, wanted] = await Promise.all([encoded, original].map((png) => sharp(png).raw().toBuffer()));
    expect(got?.equals(wanted ?? Buffer.alloc(0))).toBe(true);
  });

  test("is compressed while the next picture is rendered, but not while the one after that is", async () => {
    const original = await uncompressed();
    const { browsers, render } = await startPool({ config: configWith({ png: "balanced" }) });
    browsers.picture = () => original;
    const finishedAt = new Map<string, string[]>();
    const all = ["one", "two", "three"].map((name) => ({ name, watched: render(name) }));
    browsers.onRender = ({ name, finish }) => {
      finishedAt.set(
        name,
        all.flatMap((other) => (other.watched.outcome ? [other.name] : [])),
      );
      finish();
    };
    await Promise.all(all.map(({ watched }) => watched.done));
    expect(all.map(({ watched }) => watched.outcome)).toEqual(["done", "done", "done"]);
    expect([finishedAt.get("two"), finishedAt.get("three")]).toEqual([[], ["one"]]);
  });
});

describe("the deadline", () => {
  test("counts the wait in the queue, and the render that misses it leaves the queue", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { browsers, pool, render } = await startPool({ config: configWith({ timeoutMs: 1_000 }) });
    const [running, waiting] = [render("running", { timeoutMs: 5_000 }), render("waiting")];
    await settle();
    vi.advanceTimersByTime(999);
    await settle();
    expect([running.outcome, waiting.outcome]).toEqual([undefined, undefined]);
    vi.advanceTimersByTime(1);
    await settle();
    expect([running.outcome, waiting.outcome]).toEqual([undefined, "render_timeout"]);
    expect(waiting.error).toMatchObject({ message: expect.stringContaining("within 1000 ms") });
    expect(pool.state).toMatchObject({ waiting: 0, rendering: 1 });
    browsers.finishAll();
    await running.done;
    expect([running.outcome, browsers.names, vi.getTimerCount()]).toEqual(["done", ["running"], 0]);
  });

  test("aborts the render in the browser", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { browsers, pool, render } = await startPool({ config: configWith({ timeoutMs: 1_000 }) });
    let signal: AbortSignal | undefined;
    browsers.onRender = (begun) => {
      signal = begun.signal;
      signal.addEventListener("abort", () => begun.fail(signal?.reason));
    };
    const hung = render("hung");
    await settle();
    expect(signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1_000);
    await settle();
    expect([hung.outcome, signal?.aborted, pool.state.rendering]).toEqual(["render_timeout", true, 0]);
  });
});
