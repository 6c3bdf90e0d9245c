import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { PROBE_CALLER } from "#lib/render/readiness.ts";
import { LONG_RENDER_MS, LONG_RENDER_RATIO } from "#lib/render/render-limits.ts";
import { many, pass, startWatched } from "./fake-browsers.ts";

afterEach(() => {
  vi.useRealTimers();
});

const GAVE_WAY = "gave_way";

/** Browsers whose work ends when it is told to, with a clock that the test sets. */
async function startTimed({ size = 1, timeoutMs = 60_000 } = {}) {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const started = await startWatched({ size });
  const { browsers, render } = started;
  browsers.onRender = ({ signal, fail }) => signal.addEventListener("abort", () => fail(signal.reason));
  const ask = (name: string, caller: string) => render(name, { caller, timeoutMs });
  /** Draws a picture that takes so long. */
  const draw = async (name: string, caller: string, ms: number) => {
    const { done } = ask(name, caller);
    await pass(ms);
    browsers.render(name).finish();
    await done;
    await pass(0);
  };
  return { ...started, ask, draw };
}

describe("with one browser, a render that takes long", () => {
  test("gives way once another caller has waited for three seconds, and is drawn again later", async () => {
    const { browsers, events, ask } = await startTimed();
    const slow = ask("slow", "one");
    ask("next", "one");
    await pass(60 * 100);
    const quick = ask("quick", "other");
    await pass(LONG_RENDER_MS - 1);
    expect(browsers.names).toEqual(["slow"]);
    await pass(1);
    expect([browsers.names, events]).toEqual([["slow", "quick"], [GAVE_WAY]]);
    browsers.render("quick").finish();
    await quick.done;
    await pass(LONG_RENDER_MS - 1);
    expect(browsers.names).toEqual(["slow", "quick"]);
    await pass(1);
    expect(browsers.names).toEqual(["slow", "quick", "slow"]);
    browsers.render("slow").finish();
    await slow.done;
    expect([slow.outcome, quick.outcome]).toEqual(["done", "done"]);
  });

  test("waits, when it has given way, for renders of others that have cost less", async () => {
    const { browsers, ask } = await startTimed();
    ask("slow", "one");
    for (const name of many(2, "quick")) ask(name, "other");
    await pass(LONG_RENDER_MS);
    await pass(LONG_RENDER_MS);
    browsers.render("quick0").finish();
    await pass(0);
    expect(browsers.names).toEqual(["slow", "quick0", "quick1"]);
    browsers.render("quick1").finish();
    await pass(0);
    expect(browsers.names).toEqual(["slow", "quick0", "quick1", "slow"]);
  });

  test("is drawn again, when it has given way, as often as any other render whose browser is lost", async () => {
    const { browsers, ask } = await startTimed();
    const slow = ask("slow", "one");
    const quick = ask("quick", "other");
    await pass(LONG_RENDER_MS);
    browsers.render("quick").finish();
    await quick.done;
    await pass(LONG_RENDER_MS);
    browsers.lose(browsers.render("slow").worker);
    await pass(0);
    browsers.render("slow").finish();
    await slow.done;
    expect([slow.outcome, browsers.names]).toEqual(["done", ["slow", "quick", "slow", "slow"]]);
  });

  test("may keep others waiting for twice as long when it is drawn again", async () => {
    const { browsers, events, ask } = await startTimed();
    const slow = ask("slow", "one");
    ask("first", "other");
    await pass(LONG_RENDER_MS);
    browsers.render("first").finish();
    await pass(LONG_RENDER_MS);
    expect(browsers.names).toEqual(["slow", "first", "slow"]);
    ask("second", "other");
    await pass(2 * LONG_RENDER_MS - 1);
    expect(events).toEqual([GAVE_WAY]);
    browsers.render("slow").finish();
    await slow.done;
    expect([slow.outcome, events]).toEqual(["done", [GAVE_WAY]]);
  });

  test("tells how often it gave way, at its deadline", async () => {
    const { browsers, ask } = await startTimed({ timeoutMs: 15_000 });
    const slow = ask("slow", "one");
    for (const [index, name] of many(2, "quick").entries()) {
      ask(name, "other");
      await pass(LONG_RENDER_MS * (index + 1));
      browsers.render(name).finish();
      await pass(LONG_RENDER_MS);
    }
    await pass(15_000);
    expect(slow.error).toMatchObject({
      code: "render_timeout",
      message: expect.stringContaining("begun and stopped 2 times"),
    });
  });

  test("is not stopped for renders of its own caller, for probes, or for a render whose client has left", async () => {
    const { browsers, pool, config, events, ask, render } = await startTimed();
    ask("slow", "one");
    ask("own", "one");
    render("probe", { caller: PROBE_CALLER, timeoutMs: 60_000 });
    const client = new AbortController();
    const left = pool.render(async () => ({ html: "left", width: 100, height: 80 }), {
      config,
      caller: "other",
      signal: client.signal,
    });
    await pass(LONG_RENDER_MS - 1);
    client.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await pass(60 * 100);
    expect([browsers.names, events]).toEqual([["slow"], []]);
  });

  test("is not stopped for renders of others that take long too", async () => {
    const { browsers, events, ask, draw } = await startTimed();
    await draw("slow0", "one", LONG_RENDER_MS + 1);
    await draw("slow1", "other", LONG_RENDER_MS + 1);
    ask("slow2", "one");
    ask("slow3", "other");
    await pass(30_000);
    expect([browsers.names.slice(2), events]).toEqual([["slow2"], []]);
  });

  test("is not stopped where every render takes as long", async () => {
    const { browsers, events, ask, draw } = await startTimed();
    const usualMs = LONG_RENDER_MS / 4;
    for (const name of many(2, "usual")) await draw(name, name, usualMs);
    ask("slow", "one");
    ask("waiting", "other");
    await pass(LONG_RENDER_RATIO * usualMs - 1);
    expect([browsers.names.slice(2), events]).toEqual([["slow"], []]);
    await pass(1);
    expect([browsers.names.slice(2), events]).toEqual([["slow", "waiting"], [GAVE_WAY]]);
  });

  test("is answered, and not drawn again, when its deadline comes with the stop", async () => {
    const { browsers, ask } = await startTimed({ timeoutMs: LONG_RENDER_MS });
    const slow = ask("slow", "one");
    ask("quick", "other");
    await pass(LONG_RENDER_MS);
    await slow.done;
    expect(slow.outcome).toBe("render_timeout");
    await pass(60_000);
    expect(browsers.names.filter((name) => name === "slow")).toEqual(["slow"]);
  });
});

test("after a render that took a second, the only browser begins no other of its caller for as long as others had to wait", async () => {
  const { browsers, ask } = await startTimed();
  for (const name of many(2, "slow")) ask(name, "one");
  await pass(500);
  ask("quick0", "other");
  await pass(1_500);
  browsers.render("slow0").finish();
  await pass(0);
  browsers.render("quick0").finish();
  await pass(1_499);
  expect(browsers.names).toEqual(["slow0", "quick0"]);
  const quick = ask("quick1", "other");
  await pass(0);
  browsers.render("quick1").finish();
  await quick.done;
  await pass(1);
  expect(browsers.names).toEqual(["slow0", "quick0", "quick1", "slow1"]);
});

test("where nobody had to wait, the only browser does not rest", async () => {
  const { browsers, ask, draw } = await startTimed();
  await draw("quick", "other", 10);
  for (const name of many(2, "slow")) ask(name, "one");
  await pass(2_000);
  browsers.render("slow0").finish();
  await pass(0);
  expect(browsers.names).toEqual(["quick", "slow0", "slow1"]);
});

describe("with two browsers that both draw renders that take long", () => {
  test("the one that began last gives way, once", async () => {
    const { browsers, events, ask } = await startTimed({ size: 2 });
    ask("slow0", "one");
    await pass(10);
    ask("slow1", "one");
    await pass(10);
    ask("quick0", "other");
    ask("quick1", "third");
    await pass(LONG_RENDER_MS);
    expect([browsers.names, events]).toEqual([["slow0", "slow1", "quick0"], [GAVE_WAY]]);
    await pass(LONG_RENDER_MS / 2);
    browsers.render("quick0").finish();
    await pass(0);
    browsers.render("quick1").finish();
    await pass(60 * 100);
    expect([browsers.names, events]).toEqual([["slow0", "slow1", "quick0", "quick1"], [GAVE_WAY]]);
    browsers.render("slow0").finish();
    await pass(0);
    expect(browsers.names.at(-1)).toBe("slow1");
  });

  test("none gives way while one of them is free soon", async () => {
    const { browsers, events, ask } = await startTimed({ size: 2 });
    for (const name of many(2, "slow")) ask(name, "one");
    await pass(0);
    ask("quick", "other");
    await pass(LONG_RENDER_MS - 1);
    const starting = Promise.withResolvers<void>();
    onTestFinished(() => starting.resolve());
    browsers.onStart = () => starting.promise;
    browsers.lose(browsers.render("slow1").worker);
    await pass(LONG_RENDER_MS);
    expect([browsers.names, events]).toEqual([["slow0", "slow1"], ["ended"]]);
    starting.resolve();
    await pass(0);
    expect(events).toEqual(["ended"]);
  });
});
