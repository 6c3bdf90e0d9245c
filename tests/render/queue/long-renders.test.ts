import { afterEach, expect, test, vi } from "vitest";
import { LONG_CALLER_MS, LONG_RENDER_MS } from "#lib/render/render-limits.ts";
import { jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

afterEach(() => {
  vi.useRealTimers();
});

const LONG = { caller: "one", leavesBrowser: true };

test("of three browsers, long renders use two at most, whoever asks for them", async () => {
  const { browsers, render } = await startPool({ size: 3 });
  const all = many(4, "long").map((name) => render(name, { ...LONG, caller: name }));
  await settle();
  expect(browsers.names).toEqual(["long0", "long1"]);
  all.push(render("short", { caller: "other" }));
  await settle();
  expect(browsers.names).toEqual(["long0", "long1", "short"]);
  browsers.render("long0").finish();
  await settle();
  expect(browsers.names.slice(3)).toEqual(["long2"]);
  browsers.finishAll();
  await Promise.all(all.map(({ done }) => done));
  expect(all.map(({ outcome }) => outcome)).toEqual(many(5, "done").map(() => "done"));
});

test("a caller's other renders pass those that wait for the end of a long one", async () => {
  const { browsers, render } = await startPool({ size: 2 });
  for (const name of many(2, "long")) render(name, LONG);
  render("short", { caller: LONG.caller });
  await settle();
  expect(browsers.names).toEqual(["long0", "short"]);
  for (const name of ["long0", "short"]) browsers.render(name).finish();
  await settle();
  expect(browsers.names).toEqual(["long0", "short", "long1"]);
});

test("a caller's other renders pass any number of long ones, also those that fetch images", async () => {
  const { browsers, pool, config, render } = await startPool({ size: 2 });
  for (const name of many(30, "long")) render(name, LONG);
  const fetching = { config, ...LONG, fetches: true };
  const fetched = many(30, "fetched").map((name) => watch(pool.render(async () => jobNamed(name), fetching)));
  await settle();
  const short = many(3, "short").map((name) => render(name, { caller: LONG.caller }));
  for (const name of many(3, "short")) {
    await settle();
    browsers.render(name).finish();
  }
  await Promise.all(short.map(({ done }) => done));
  expect(browsers.names).toEqual(["long0", "short0", "short1", "short2"]);
  expect(fetched.map(({ outcome }) => outcome)).toEqual(Array(30).fill(undefined));
});

test("an abandoned long render counts until its browser has ended its work", async () => {
  const { browsers, pool, config, render } = await startPool({ size: 2 });
  const client = new AbortController();
  const job = { html: "abandoned", width: 100, height: 80 };
  const abandoned = pool.render(async () => job, { config, ...LONG, signal: client.signal });
  await settle();
  client.abort(new Error("gone"));
  await expect(abandoned).rejects.toThrow("gone");
  render("long", LONG);
  await settle();
  expect(browsers.names).toEqual(["abandoned"]);
  browsers.render("abandoned").finish();
  await settle();
  expect(browsers.names).toEqual(["abandoned", "long"]);
});

test("a long render uses the only browser", async () => {
  const { browsers, render } = await startPool({ size: 1 });
  const { done } = render("long", LONG);
  await settle();
  expect(browsers.names).toEqual(["long"]);
  browsers.finishAll();
  await done;
});

test("a long render whose browser is lost is drawn again", async () => {
  const { browsers, render } = await startPool({ size: 2 });
  const long = render("long", LONG);
  await settle();
  browsers.lose(browsers.render("long").worker);
  await settle();
  browsers.finishAll();
  await long.done;
  expect(long.outcome).toBe("done");
  expect(browsers.names).toEqual(["long", "long"]);
});

/** Starts two browsers, with a clock that the test sets. `drawForOther` has a picture drawn for another caller. */
async function startTimedPool() {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { browsers, render } = await startPool({ size: 2 });
  const drawForOther = async (name: string) => {
    render(name, { caller: "other" });
    await settle();
    browsers.render(name).finish();
    await settle();
  };
  return { browsers, render, drawForOther };
}

test("a caller whose render took long leaves a browser to others, also with the renders that it has begun", async () => {
  const { browsers, render, drawForOther } = await startTimedPool();
  for (const name of many(4, "slow")) render(name, { caller: "one" });
  await settle();
  vi.advanceTimersByTime(LONG_RENDER_MS + 1);
  render("quick", { caller: "other" });
  browsers.render("slow0").finish();
  await settle();
  expect(browsers.names).toEqual(["slow0", "slow1", "quick"]);
  browsers.render("quick").finish();
  await settle();
  expect(browsers.names.slice(3)).toEqual([]);
  browsers.render("slow1").finish();
  await settle();
  expect(browsers.names.slice(3)).toEqual(["slow2"]);
  browsers.render("slow2").finish();
  await settle();
  browsers.render("slow3").finish();
  await settle();
  vi.advanceTimersByTime(LONG_CALLER_MS);
  await drawForOther("later");
  for (const name of many(2, "last")) render(name, { caller: "one" });
  await settle();
  expect(browsers.names.slice(6)).toEqual(["last0", "last1"]);
});

test("a caller whose renders take long uses all browsers while no other has asked for one lately", async () => {
  const { browsers, render, drawForOther } = await startTimedPool();
  await drawForOther("long ago");
  vi.advanceTimersByTime(LONG_CALLER_MS);
  for (const name of many(4, "slow")) render(name, { caller: "one" });
  await settle();
  vi.advanceTimersByTime(LONG_RENDER_MS + 1);
  for (const name of many(2, "slow")) browsers.render(name).finish();
  await settle();
  expect(browsers.names.slice(3)).toEqual(["slow2", "slow3"]);
});

test("a caller whose renders are ordinary uses all browsers, beside others too", async () => {
  const { browsers, render, drawForOther } = await startTimedPool();
  await drawForOther("quick");
  for (const name of many(3, "picture")) render(name, { caller: "one" });
  await settle();
  vi.advanceTimersByTime(LONG_RENDER_MS);
  browsers.render("picture0").finish();
  await settle();
  expect(browsers.names.slice(1)).toEqual(["picture0", "picture1", "picture2"]);
});
