import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { readBody } from "#lib/http/body/body.ts";
import { BodyShare, heldBytes } from "#lib/http/body/body-budget.ts";
import {
  BODY_BUDGET_RESERVE_SHARE,
  BODY_CHUNK_BYTES,
  BODY_CHUNKS,
  BODY_IDLE_MS,
  BODY_LIMIT_BYTES,
  BODY_WHOLE_MS,
} from "#lib/http/http-limits.ts";
import { chunkedBody, postRequest } from "./requests.ts";

const LIMIT_BYTES = 1_000_000;

const shares: BodyShare[] = [];

/** A share of the budget that the end of the test releases. */
function newShare(caller?: string): BodyShare {
  const share = new BodyShare(caller);
  shares.push(share);
  return share;
}

function read(request: Request, share = newShare()): Promise<Buffer> {
  return readBody(request, { limitBytes: LIMIT_BYTES, share });
}

afterEach(() => {
  vi.useRealTimers();
  for (const share of shares.splice(0)) share.release();
  expect(heldBytes()).toBe(0);
});

function* pieces(total: number, size = 10_000): Generator<Uint8Array> {
  for (let sent = 0; sent < total; sent += size) yield new Uint8Array(Math.min(size, total - sent)).fill(97);
}

async function refusal(reading: Promise<unknown>): Promise<AppError> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error("Got no AppError.");
  return error;
}

/** A body whose chunks the test sends itself. */
function manualBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  return {
    body,
    send: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    end: () => controller?.close(),
  };
}

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

describe("the memory of all bodies together", () => {
  const LARGE_BYTES = bodyBudgetBytes() * (1 - BODY_BUDGET_RESERVE_SHARE);
  const fill = (bytes: number) => newShare().grow(bytes);

  it("follows the memory of the container, or the variable", () => {
    const budgetWith = (memoryBytes: number) => {
      const limit = vi.spyOn(process, "constrainedMemory").mockReturnValue(memoryBytes);
      onTestFinished(() => limit.mockRestore());
      return bodyBudgetBytes();
    };
    expect([0.1e9, 0.512e9, 2e9].map(budgetWith)).toEqual([16e6, 32e6, 125e6]);
    vi.stubEnv("SERVICE_BODY_BUDGET_MB", "24");
    expect(budgetWith(2e9)).toBe(24e6);
    vi.unstubAllEnvs();
  });

  it("is counted from the first byte until its release, by the bytes that arrived", async () => {
    const share = newShare();
    const stalled = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(70_000)),
    });
    const headers = { "content-length": String(LIMIT_BYTES) };
    void read(postRequest({ body: stalled, headers }), share).catch(() => {});
    await vi.waitFor(() => expect(heldBytes()).toBe(70_000));
    const { body } = chunkedBody(pieces(LIMIT_BYTES));
    await read(postRequest({ body }));
    expect(heldBytes()).toBe(70_000 + LIMIT_BYTES);
    share.release();
    expect(heldBytes()).toBe(LIMIT_BYTES);
  });

  it("is refused with Retry-After at the chunk that exceeds the budget", async () => {
    fill(LARGE_BYTES - LIMIT_BYTES / 2);
    const { body, taken } = chunkedBody(pieces(LIMIT_BYTES));
    const error = await refusal(read(postRequest({ body })));
    expect(error).toMatchObject({ code: "overloaded", headers: { "Retry-After": "2", Connection: "close" } });
    expect(taken()).toBeLessThan(LIMIT_BYTES);
  });

  it("has room for small bodies when large ones have used up theirs", async () => {
    fill(LARGE_BYTES);
    const small = chunkedBody(pieces(BODY_LIMIT_BYTES));
    await expect(read(postRequest({ body: small.body }))).resolves.toHaveLength(BODY_LIMIT_BYTES);
    const large = chunkedBody(pieces(BODY_LIMIT_BYTES + 1));
    expect(await refusal(read(postRequest({ body: large.body })))).toMatchObject({ code: "overloaded" });
  });

  /** Bodies of one caller that fill the memory for large ones, and as many small ones as the rest has room for. */
  function floodBy(caller: string): { large: BodyShare[]; small: BodyShare[] } {
    const take = (bytes: number, left: number) =>
      Array.from({ length: Math.floor(left / bytes) }, () => {
        const share = newShare(caller);
        share.grow(bytes);
        return share;
      });
    const large = take(LIMIT_BYTES, LARGE_BYTES);
    return { large, small: take(BODY_LIMIT_BYTES, bodyBudgetBytes() - heldBytes()) };
  }

  it("has room for another caller's bodies when one caller has filled it, with large ones and small ones", async () => {
    const { large, small } = floodBy("flood");
    const bytes = await read(postRequest({ body: chunkedBody(pieces(LIMIT_BYTES)).body }), newShare("other"));
    expect(bytes).toHaveLength(LIMIT_BYTES);
    const [broken] = large.filter(({ signal }) => signal.aborted);
    expect(broken?.signal.reason).toMatchObject({ code: "overloaded", headers: { "Retry-After": "2" } });
    expect(() => newShare("flood").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(small.length).toBeGreaterThan(0);
    expect(heldBytes()).toBeLessThanOrEqual(bodyBudgetBytes());
  });

  it("is not taken from callers with one body each, nor from a body that is kept", async () => {
    const alone = newShare("alone");
    alone.grow(LARGE_BYTES / 2);
    const kept = newShare("kept");
    kept.grow(LARGE_BYTES / 2);
    kept.keep();
    expect(() => newShare("other").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect([alone, kept].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it("breaks off no body where that would not make enough room", () => {
    const [large, small] = [newShare("most"), newShare("most")];
    small.grow(BODY_LIMIT_BYTES);
    large.grow(LARGE_BYTES - BODY_LIMIT_BYTES);
    expect(() => newShare("other").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect([large, small].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it("ends the reading of a body that has to make room, so that its client gets an answer", async () => {
    const share = newShare();
    const { body, send } = manualBody();
    const reading = refusal(read(postRequest({ body }), share));
    send(5);
    await vi.waitFor(() => expect(heldBytes()).toBe(5));
    const error = new AppError("overloaded", "The service is busy.");
    share.giveWay(error);
    expect(await reading).toBe(error);
    expect(heldBytes()).toBe(0);
  });
});
