import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { inThreadTurn } from "#lib/images/thread-turns.ts";

/** Milliseconds for which this thread has had a processor. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Keeps the thread busy. */
function compute(ms: number): void {
  const end = busyMs() + ms;
  while (busyMs() < end);
}

/** Stands still, as while the machine sleeps or the process is stopped. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Runs work of a caller, and notes when it was done. */
function workOf(caller: string, ms: number, ended: string[]): Promise<unknown> {
  return imagesFor(new RenderImages(caller), () =>
    inThreadTurn(() => {
      compute(ms);
      ended.push(caller);
    }),
  );
}

it("a caller waits for one work of another, however many that one has", async () => {
  const ended: string[] = [];
  const many = Array.from({ length: 5 }, () => workOf("many", 20, ended));
  const one = workOf("one", 1, ended);
  await Promise.all([...many, one]);
  expect(ended.indexOf("one")).toBe(1);
});

it("everything else gets a turn between two works", async () => {
  let isOver = false;
  let turns = 0;
  const others = async () => {
    for (; !isOver; turns++) await setImmediate();
  };
  const waiting = others();
  await Promise.all(Array.from({ length: 20 }, () => inThreadTurn(() => compute(1))));
  isOver = true;
  await waiting;
  expect(turns).toBeGreaterThanOrEqual(20);
});

it("after work that takes long, the thread is free for as long", async () => {
  const begun: number[] = [];
  const work = () => {
    begun.push(performance.now());
    compute(150);
  };
  await Promise.all([inThreadTurn(work), inThreadTurn(work)]);
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(290);
});

it("after a pause of the machine in the middle of work, the next work begins at once", async () => {
  const ended: number[] = [];
  const first = inThreadTurn(() => {
    pause(3_000);
    ended.push(performance.now());
  });
  await Promise.all([first, inThreadTurn(() => ended.push(performance.now()))]);
  const [paused = 0, next = 0] = ended;
  expect(next - paused).toBeLessThan(1_500);
});

it("work that is no longer wanted is not begun, and keeps nobody waiting", async () => {
  const client = new AbortController();
  const ended: string[] = [];
  const first = inThreadTurn(() => ended.push("first"));
  const gone = inThreadTurn(() => ended.push("gone"), { signal: client.signal });
  client.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  await first;
  await inThreadTurn(() => ended.push("last"));
  expect(ended).toEqual(["first", "last"]);
});
