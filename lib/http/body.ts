import { AppError } from "#lib/errors.ts";
import { BODY_IDLE_MS, BODY_WHOLE_MS } from "#lib/http/limits.ts";

/** What is left of the body is still on its way, so the connection cannot carry another request. */
const CLOSE = { headers: { Connection: "close" } };

const FIRST_BUFFER_BYTES = 65_536;

function tooLarge(limitBytes: number): AppError {
  return new AppError("payload_too_large", `Got a body of more than ${limitBytes} bytes, which is the limit.`, CLOSE);
}

/** Grows with what has arrived, not with what was announced: an announcement costs the sender nothing. */
class Collected {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const collected = new Collected();
  // Giving up the lock rejects the pending read. Cancelling would destroy the socket before it has carried the answer.
  const giveUp = () => reader.releaseLock();
  const idle = setTimeout(giveUp, BODY_IDLE_MS);
  const whole = setTimeout(giveUp, BODY_WHOLE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return collected.bytes();
      if (collected.length + value.length > limitBytes) throw tooLarge(limitBytes);
      collected.add(value);
      idle.refresh();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("invalid_request", "The body ended, or stopped arriving, before it was whole.", {
      ...CLOSE,
      cause: error,
    });
  } finally {
    clearTimeout(idle);
    clearTimeout(whole);
    giveUp();
  }
}

/**
 * The bytes of a body, read no further than the limit, and not at all when its length says that it is larger.
 * @throws AppError `payload_too_large`; `invalid_request` when it stalls for {@link BODY_IDLE_MS} or takes longer than {@link BODY_WHOLE_MS}
 */
export async function readBody(request: Request, limitBytes: number): Promise<Buffer> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  if (request.body === null) return Buffer.alloc(0);
  return collect(request.body.getReader(), limitBytes);
}
