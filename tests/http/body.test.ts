import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { readBody } from "#lib/http/body.ts";
import { BODY_IDLE_MS, BODY_WHOLE_MS } from "#lib/http/limits.ts";
import { chunkedBody, postRequest } from "./requests.ts";

const LIMIT_BYTES = 1_000_000;

afterEach(() => {
  vi.useRealTimers();
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
    expect(await readBody(postRequest({ body }), LIMIT_BYTES)).toHaveLength(LIMIT_BYTES);
    const headers = { "content-length": String(LIMIT_BYTES) };
    const whole = postRequest({ body: new Uint8Array(LIMIT_BYTES), headers });
    expect(await readBody(whole, LIMIT_BYTES)).toHaveLength(LIMIT_BYTES);
  });

  it("keeps the bytes in their order", async () => {
    const chunks = Array.from({ length: 300 }, (_, index) => Buffer.from(`${index},`.repeat(100)));
    const { body } = chunkedBody(chunks);
    expect(await readBody(postRequest({ body }), LIMIT_BYTES)).toEqual(Buffer.concat(chunks));
  });

  it("reads nothing of a body whose length is over the limit", async () => {
    const { body, taken } = chunkedBody(pieces(LIMIT_BYTES + 1));
    const headers = { "content-length": String(LIMIT_BYTES + 1) };
    const error = await refusal(readBody(postRequest({ body, headers }), LIMIT_BYTES));
    expect(error).toMatchObject({ code: "payload_too_large", headers: { Connection: "close" } });
    expect(taken()).toBe(0);
  });

  it("stops at the chunk that passes the limit", async () => {
    const { body, taken } = chunkedBody(pieces(50 * LIMIT_BYTES));
    const error = await refusal(readBody(postRequest({ body }), LIMIT_BYTES));
    expect(error).toMatchObject({ code: "payload_too_large", headers: { Connection: "close" } });
    expect(taken()).toBeLessThanOrEqual(LIMIT_BYTES + 20_000);
  });

  it("gives up on a body that stops arriving", async () => {
    vi.useFakeTimers();
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(5)) });
    const reading = refusal(readBody(postRequest({ body }), LIMIT_BYTES));
    await vi.advanceTimersByTimeAsync(BODY_IDLE_MS);
    expect(await reading).toMatchObject({ code: "invalid_request", headers: { Connection: "close" } });
  });

  it("gives up on a body that trickles", async () => {
    vi.useFakeTimers();
    let timer: NodeJS.Timeout | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        timer = setInterval(() => controller.enqueue(new Uint8Array(1)), BODY_IDLE_MS / 2);
      },
    });
    const reading = refusal(readBody(postRequest({ body }), LIMIT_BYTES));
    await vi.advanceTimersByTimeAsync(BODY_WHOLE_MS);
    expect(await reading).toMatchObject({ code: "invalid_request" });
    clearInterval(timer);
  });

  it("says that a body broke off when the client goes away", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("aborted")) });
    expect(await refusal(readBody(postRequest({ body }), LIMIT_BYTES))).toMatchObject({ code: "invalid_request" });
  });
});
