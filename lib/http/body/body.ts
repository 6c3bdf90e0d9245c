import { AppError } from "#lib/errors.ts";
import { BODY_IDLE_MS, BODY_WHOLE_MS } from "#lib/http/http-limits.ts";
import { currentRequestContext } from "#lib/http/server/request-context.ts";
import { Blocks } from "./blocks.ts";
import type { BodyShare } from "./body-budget.ts";
import { hasTooManyChunks, tooManyChunks } from "./chunk-limit.ts";

/** The rest of the body is still arriving, so the connection cannot carry another request. */
const CLOSE = { headers: { Connection: "close" } };

function tooLarge(limitBytes: number): AppError {
  return new AppError("payload_too_large", `Got a body of more than ${limitBytes} bytes, which is the limit.`, CLOSE);
}

function incomplete(cause?: unknown): AppError {
  const message = "The body is incomplete: the connection ended before it.";
  return new AppError("invalid_request", message, { ...CLOSE, cause });
}

type Allowance = {
  limitBytes: number;
  /** Counts the bytes in memory. It may be refused later to make room for another caller. The caller of `readBody` releases it. */
  share: BodyShare;
};

/** What has arrived of a body. The announced length is ignored, because it costs a sender nothing. */
class Collected {
  readonly #allowance: Allowance;
  readonly blocks = new Blocks();
  #chunks = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** @throws AppError `payload_too_large`, `overloaded`, or `invalid_request` for chunks that cost more than their bytes */
  add(chunk: Uint8Array): void {
    const { limitBytes, share } = this.#allowance;
    const needed = this.blocks.length + chunk.length;
    if (needed > limitBytes) throw tooLarge(limitBytes);
    this.#chunks++;
    if (hasTooManyChunks(this.#chunks, needed)) throw tooManyChunks();
    share.grow(needed);
    this.blocks.append(chunk);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, allowance: Allowance): Promise<Blocks> {
  const collected = new Collected(allowance);
  const { signal } = allowance.share;
  let isLate = false;
  // Releasing the lock rejects the pending read. Cancelling would destroy the socket before the response is sent.
  const stop = () => reader.releaseLock();
  const giveUp = () => {
    isLate = true;
    stop();
  };
  signal.addEventListener("abort", stop, { once: true });
  const idle = setTimeout(giveUp, BODY_IDLE_MS);
  const whole = setTimeout(giveUp, BODY_WHOLE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return collected.blocks;
      collected.add(value);
      idle.refresh();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    signal.throwIfAborted();
    const options = { ...CLOSE, cause: error };
    if (isLate)
      throw new AppError("request_timeout", "The body did not arrive in time: it stalled before its end.", options);
    throw incomplete(error);
  } finally {
    clearTimeout(idle);
    clearTimeout(whole);
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Waits for a turn, but no longer when the body has to make room, because it stays in memory meanwhile. @throws the signal's reason */
async function unlessAborted(turn: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = () => aborted.reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([turn, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Reads a body up to the limit. A body that announces a larger length is not read at all. After one that arrives late, the request waits
 * for its turn once more.
 * @throws AppError `payload_too_large`; `overloaded` when all bodies together take too much memory; `request_timeout` when
 * the body stalls for {@link BODY_IDLE_MS} or takes longer than {@link BODY_WHOLE_MS}; `invalid_request` when the client
 * disconnects or sends too many small chunks
 */
export async function readBody(request: Request, allowance: Allowance): Promise<Buffer> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > allowance.limitBytes) throw tooLarge(allowance.limitBytes);
  if (request.body === null) return Buffer.alloc(0);
  const context = currentRequestContext();
  context?.sendContinue?.();
  const blocks = await collect(request.body.getReader(), allowance);
  const turn = context?.turnAfterBody?.();
  if (turn && !(await unlessAborted(turn, allowance.share.signal))) throw incomplete();
  return blocks.take();
}
