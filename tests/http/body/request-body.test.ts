import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { toBody } from "#lib/http/server/fast-path.ts";

const CHUNK = Buffer.alloc(1_000, "x");

test("the chunks of a body are passed on as they arrive, without a copy", async () => {
  const message = new PassThrough();
  const reader = toBody(message).getReader();
  message.write(CHUNK);
  message.end();
  expect((await reader.read()).value).toBe(CHUNK);
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

test("of a body that nobody reads, little is taken into memory", async () => {
  let produced = 0;
  const read = function (this: Readable) {
    produced++;
    this.push(CHUNK);
  };
  const message = new Readable({ highWaterMark: 2 * CHUNK.length, read });
  const reader = toBody(message).getReader();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(produced).toBeLessThan(10);
  for (let chunk = 0; chunk < 20; chunk++) await reader.read();
  expect(produced).toBeGreaterThanOrEqual(20);
  message.destroy();
});

test("a body whose connection breaks fails, and one that is cancelled ends its message", async () => {
  const broken = new PassThrough();
  const read = toBody(broken).getReader().read();
  broken.destroy(new Error("The connection was reset."));
  await expect(read).rejects.toThrow("The connection was reset.");
  const cancelled = new PassThrough();
  const closed = once(cancelled, "close");
  await toBody(cancelled).cancel();
  await closed;
});
