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
function newShare(): BodyShare {
  const share = new BodyShare();
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
});
