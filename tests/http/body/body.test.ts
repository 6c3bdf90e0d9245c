import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { BODY_CHUNK_BYTES, BODY_CHUNKS, BODY_IDLE_MS, BODY_WHOLE_MS } from "#lib/http/http-limits.ts";
import { runInRequestContext } from "#lib/http/server/request-context.ts";
import { chunkedBody, postRequest } from "../requests.ts";
import { LIMIT_BYTES, manualBody, newShare, pieces, read, refusal, releaseShares } from "./bodies.ts";

afterEach(() => {
  vi.useRealTimers();
  releaseShares();
});

describe("reading a body", () => {
  it("takes exactly the limit, by length and chunked", async () => {
    const { body } = chunkedBody(pieces(LIMIT_BYTES));
    expect(await read(postRequest({ body }))).toHaveLength(LIMIT_BYTES);
    const headers = { "content-length": String(LIMIT_BYTES) };
    const whole = postRequest({ body: new Uint8Array(LIMIT_BYTES), headers });
    expect(await read(whole)).toHaveLength(LIMIT_BYTES);
  });

  it("keeps the bytes in their order", async () => {
    const chunks = Array.from({ length: 300 }, (_, index) => Buffer.from(`${index},`.repeat(100)));
    const { body } = chunkedBody(chunks);
    expect(await read(postRequest({ body }))).toEqual(Buffer.concat(chunks));
  });

  it("reads nothing of a body whose length is over the limit", async () => {
    const { body, taken } = chunkedBody(pieces(LIMIT_BYTES + 1));
    const headers = { "content-length": String(LIMIT_BYTES + 1) };
    const error = await refusal(read(postRequest({ body, headers })));
    expect(error).toMatchObject({ code: "payload_too_large", headers: { Connection: "close" } });
    expect(taken()).toBe(0);
  });

  it("stops at the chunk that passes the limit", async () => {
    const { body, taken } = chunkedBody(pieces(50 * LIMIT_BYTES));
    const error = await refusal(read(postRequest({ body })));
    expect(error).toMatchObject({ code: "payload_too_large", headers: { Connection: "close" } });
    expect(taken()).toBeLessThanOrEqual(LIMIT_BYTES + 20_000);
  });

  it("stops where chunks cost more than their bytes", async () => {
    const { body, taken } = chunkedBody(pieces(LIMIT_BYTES, 1));
    const error = await refusal(read(postRequest({ body })));
    expect(error).toMatchObject({ code: "invalid_request", headers: { Connection: "close" } });
    expect(error.message).toContain("too many small chunks");
    expect(taken()).toBeLessThanOrEqual(BODY_CHUNKS + BODY_CHUNKS / BODY_CHUNK_BYTES + 10);
  });

  it("takes a few small chunks, and any number of ordinary ones", async () => {
    expect(await read(postRequest({ body: chunkedBody(pieces(BODY_CHUNKS, 1)).body }))).toHaveLength(BODY_CHUNKS);
    const { body } = chunkedBody(pieces(LIMIT_BYTES, BODY_CHUNK_BYTES));
    expect(await read(postRequest({ body }))).toHaveLength(LIMIT_BYTES);
  });

  it("ends with another turn of the request, which its client may not live to see", async () => {
    const readInTurn = (turn: Promise<boolean>) => {
      const context = { requestId: "x", method: "POST", turnAfterBody: () => turn };
      return runInRequestContext(context, () => read(postRequest({ body: "abc" })));
    };
    const turn = Promise.withResolvers<boolean>();
    const body = readInTurn(turn.promise);
    expect(await Promise.race([body, sleep(20)])).toBeUndefined();
    turn.resolve(true);
    expect(String(await body)).toBe("abc");
    expect(await refusal(readInTurn(Promise.resolve(false)))).toMatchObject({ code: "invalid_request" });
  });

  it("does not wait for that turn with a body that has to make room for another caller's", async () => {
    const share = newShare();
    const waits = Promise.withResolvers<void>();
    const turnAfterBody = () => {
      waits.resolve();
      return new Promise<boolean>(() => undefined);
    };
    const context = { requestId: "x", method: "POST", turnAfterBody };
    const body = runInRequestContext(context, () => read(postRequest({ body: "abc" }), share));
    await waits.promise;
    share.giveWay(new AppError("overloaded", "No room."));
    expect(await refusal(body)).toMatchObject({ code: "overloaded" });
  });

  /** Less than a body may pause. */
  const PAUSE_MS = BODY_IDLE_MS - 1_000;

  it("takes a slow body that never pauses for the idle limit, however long it takes in all", async () => {
    vi.useFakeTimers();
    const { body, send, end } = manualBody();
    const reading = read(postRequest({ body }));
    for (let count = 0; count < 3; count++) {
      send(5);
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
    }
    end();
    expect(3 * PAUSE_MS).toBeGreaterThan(2 * BODY_IDLE_MS);
    expect(await reading).toHaveLength(15);
  });

  it("gives up on a body that pauses for the idle limit, counted from its last chunk", async () => {
    vi.useFakeTimers();
    const { body, send } = manualBody();
    const reading = refusal(read(postRequest({ body })));
    const settled = vi.fn();
    void reading.then(settled);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    send(5);
    await vi.advanceTimersByTimeAsync(BODY_IDLE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalled();
    expect(await reading).toMatchObject({ code: "request_timeout", headers: { Connection: "close" } });
  });

  it("gives up on a body that keeps arriving for longer than the whole limit", async () => {
    vi.useFakeTimers();
    const { body, send } = manualBody();
    const reading = refusal(read(postRequest({ body })));
    const settled = vi.fn();
    void reading.then(settled);
    const sending = setInterval(() => send(1), BODY_IDLE_MS / 2);
    await vi.advanceTimersByTimeAsync(BODY_WHOLE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    clearInterval(sending);
    expect(await reading).toMatchObject({ code: "request_timeout", headers: { Connection: "close" } });
  });

  it("refuses a body whose client disconnects", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("aborted")) });
    expect(await refusal(read(postRequest({ body })))).toMatchObject({ code: "invalid_request" });
  });
});
