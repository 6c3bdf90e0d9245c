import { afterEach, expect, test, vi } from "vitest";
import { PAGES_CALLER } from "#lib/render/queue/fair-queue.ts";
import { PROBE_CALLER } from "#lib/render/readiness.ts";
import { LONG_ALONE_MS, LONG_CALLER_MS, REST_MAX_MS } from "#lib/render/render-limits.ts";
import { pass, startPool } from "./fake-browsers.ts";

const SECOND = 1_000;

afterEach(() => {
  vi.useRealTimers();
});

/** One browser, with a clock that the test sets. */
async function startTimed(size = 1) {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { browsers, pool, render } = await startPool({ size });
  const ask = (name: string, caller: string, timeoutMs = 120 * SECOND) => render(name, { caller, timeoutMs });
  const finish = async (name: string, afterMs: number) => {
    await pass(afterMs);
    browsers.render(name).finish();
    await pass(0);
  };
  /** Draws a picture that takes so long. */
  const draw = async (name: string, caller: string, ms: number) => {
    ask(name, caller);
    await finish(name, ms);
  };
  return { browsers, pool, ask, finish, draw };
}

test("after a long render the only browser begins no other one for as long as another caller had to wait", async () => {
  const { browsers, ask, finish, draw } = await startTimed();
  await draw("quick", "one", 10);
  ask("slow0", "one");
  ask("slow1", "one");
  await pass(2 * SECOND);
  ask("quick0", "other");
  await finish("slow0", 3 * SECOND);
  await finish("quick0", 10);
  expect(browsers.names).toEqual(["quick", "slow0", "quick0"]);
  await draw("quick1", "other", 10);
  await draw("first", "new", 10);
  await pass(3 * SECOND - 31);
  expect(browsers.names).toEqual(["quick", "slow0", "quick0", "quick1", "first"]);
  await pass(1);
  expect(browsers.names).toEqual(["quick", "slow0", "quick0", "quick1", "first", "slow1"]);
});

test.each([
  ["nobody waited", 5 * SECOND, undefined],
  ["only its own caller's renders waited", 5 * SECOND, "one"],
  ["only a probe waited", 5 * SECOND, PROBE_CALLER],
  ["it took a second", LONG_ALONE_MS, "other"],
])("the only browser does not rest after a render where %s", async (_, ms, waiting) => {
  const { browsers, ask, finish } = await startTimed();
  ask("slow0", "one");
  ask("slow1", "one");
  await pass(0);
  if (waiting) ask("waiting", waiting);
  await finish("slow0", ms);
  if (browsers.names.at(-1) === "waiting") await finish("waiting", 10);
  expect(browsers.names.at(-1)).toBe("slow1");
});

test("probes and pictures of pages never wait for the end of a rest, however long one of them took", async () => {
  const { browsers, ask, finish, draw } = await startTimed();
  for (const caller of [PROBE_CALLER, PAGES_CALLER]) await draw(`long ${caller}`, caller, 5 * SECOND);
  ask("slow", "one");
  await pass(0);
  ask("quick", "other");
  await finish("slow", 5 * SECOND);
  await finish("quick", 10);
  for (const caller of [PROBE_CALLER, PAGES_CALLER]) await draw(caller, caller, 10);
  expect(browsers.names.slice(-3)).toEqual(["quick", PROBE_CALLER, PAGES_CALLER]);
});

test("a rest ends early enough for the renders that wait for its end", async () => {
  const { browsers, ask, finish } = await startTimed();
  ask("slow0", "one");
  const late = ask("slow1", "one", 30 * SECOND);
  // It would be late in any case.
  ask("hopeless", "one", 11.5 * SECOND);
  await pass(0);
  ask("quick", "other");
  await finish("slow0", 11 * SECOND);
  await finish("quick", 10);
  await pass(30 * SECOND - 11 * SECOND - 1.2 * 11 * SECOND - 20);
  expect(browsers.names.at(-1)).toBe("quick");
  await pass(20);
  expect(browsers.names.at(-1)).toBe("slow1");
  await finish("slow1", 13 * SECOND);
  await late.done;
  expect(late.outcome).toBe("done");
});

/** A long render of 5 s has ended, and a rest of 5 s has begun. */
async function startResting() {
  const { ask, finish, ...timed } = await startTimed();
  ask("slow", "one");
  await pass(0);
  ask("quick", "other");
  await finish("slow", 5 * SECOND);
  await finish("quick", 10);
  return { ...timed, ask, finish };
}

test("a rest ends early enough for a render that comes during it", async () => {
  const { browsers, ask } = await startResting();
  ask("next", "one", 10 * SECOND);
  await pass(10 * SECOND - 1.2 * 5 * SECOND - 1);
  expect(browsers.names.at(-1)).toBe("quick");
  await pass(1);
  expect(browsers.names.at(-1)).toBe("next");
});

test.each([
  ["ends at once for a render that can just be in time", 5.5 * SECOND, "next"],
  ["does not end for a render that will be late anyway", 4.9 * SECOND, "quick"],
])("a rest %s", async (_, timeoutMs, last) => {
  const { browsers, ask } = await startResting();
  ask("next", "one", timeoutMs);
  await pass(0);
  expect(browsers.names.at(-1)).toBe(last);
});

test("a rest that has ended early does not keep the next one from beginning", async () => {
  const { browsers, ask, finish } = await startResting();
  ask("urgent", "one", 5.5 * SECOND);
  await pass(0);
  ask("quick1", "other");
  ask("slow1", "one");
  await finish("urgent", 1.5 * SECOND);
  await finish("quick1", 10);
  await pass(1.5 * SECOND - 11);
  expect(browsers.names.at(-1)).toBe("quick1");
  await pass(1);
  expect(browsers.names.at(-1)).toBe("slow1");
});

test("a render whose browser is lost does not wait for the end of a rest", async () => {
  const { browsers, ask, finish, draw } = await startTimed();
  await draw("past", "one", 5 * SECOND);
  ask("slow", "one");
  await pass(0);
  ask("quick", "other");
  await pass(5 * SECOND);
  browsers.lose(browsers.render("slow").worker);
  await pass(0);
  await finish(browsers.names.at(-1) ?? "", 10);
  await pass(0);
  expect(browsers.names.toSorted()).toEqual(["past", "quick", "slow", "slow"]);
});

test("a rest is no longer than the render before it, however long another caller has waited", async () => {
  const { browsers, ask, finish } = await startTimed();
  for (const name of ["first", "slow0", "slow1"]) ask(name, name === "first" ? "first" : "one");
  for (const name of ["quick0", "quick1"]) ask(name, "other");
  await finish("first", SECOND);
  await finish("slow0", 3 * SECOND);
  for (const name of ["quick0", "quick1"]) await finish(name, 10);
  expect(browsers.names).toEqual(["first", "slow0", "quick0", "quick1"]);
  await pass(3 * SECOND - 21);
  expect(browsers.names.at(-1)).toBe("quick1");
  await pass(1);
  expect(browsers.names.at(-1)).toBe("slow1");
});

test("when the pool stops, the renders that it has accepted are drawn without a rest", async () => {
  const { pool, ask, finish } = await startTimed();
  ask("slow0", "one");
  const accepted = ask("slow1", "one");
  await pass(0);
  ask("quick", "other");
  await finish("slow0", 5 * SECOND);
  await finish("quick", 10);
  const stopped = pool.stop(new AbortController().signal);
  await finish("slow1", 10);
  await Promise.all([accepted.done, stopped]);
  expect(accepted.outcome).toBe("done");
});

test("callers whose renders take a quarter as long or more do not go first", async () => {
  const { browsers, ask, finish, draw } = await startTimed();
  await draw("usual", "other", SECOND);
  ask("slow0", "one");
  ask("slow1", "one");
  await pass(0);
  ask("waiting", "other");
  await finish("slow0", 4 * SECOND);
  await finish("waiting", 10);
  expect(browsers.names.slice(1)).toEqual(["slow0", "waiting", "slow1"]);
});

test("the longest of a caller's renders counts, for ten minutes", async () => {
  const { browsers, ask, finish, draw } = await startTimed();
  for (const caller of ["one", "past"]) await draw(`long ${caller}`, caller, 5 * SECOND);
  await draw("short", "one", 10);
  await pass(LONG_CALLER_MS - 12 * SECOND);
  ask("slow0", "third");
  await pass(0);
  ask("quick0", "other");
  await finish("slow0", 4 * SECOND);
  await finish("quick0", 10);
  ask("resting", "one");
  await pass(0);
  expect(browsers.names.at(-1)).toBe("quick0");
  await finish("resting", 4 * SECOND);
  ask("slow1", "third");
  await pass(0);
  ask("quick1", "other");
  await finish("slow1", 4 * SECOND);
  await finish("quick1", 10);
  await draw("again", "one", 10);
  await draw("after long", "past", 10);
  expect(browsers.names.slice(-3)).toEqual(["quick1", "again", "after long"]);
});

test("a rest has an end, and a shorter one does not end it", async () => {
  const { browsers, ask, finish } = await startTimed();
  ask("slow0", "one");
  ask("slow1", "one");
  await pass(0);
  ask("quick", "other");
  await finish("slow0", 2 * REST_MAX_MS);
  ask("new", "new");
  await finish("quick", 10);
  ask("late", "other");
  await finish("new", 2 * SECOND);
  await finish("late", 10);
  await pass(REST_MAX_MS - 2 * SECOND - 21);
  expect(browsers.names).toEqual(["slow0", "quick", "new", "late"]);
  await pass(1);
  expect(browsers.names.at(-1)).toBe("slow1");
});

test("where there are two browsers, none rests", async () => {
  const { browsers, ask, finish } = await startTimed(2);
  for (const name of ["slow0", "slow1"]) ask(name, name);
  await pass(0);
  ask("quick", "other");
  ask("slow2", "slow0");
  await finish("slow0", 2 * SECOND);
  await finish("quick", 0);
  expect(browsers.names).toEqual(["slow0", "slow1", "quick", "slow2"]);
});
