import { expect } from "vitest";
import { AppError } from "#lib/errors.ts";
import { readBody } from "#lib/http/body/body.ts";
import { BodyShare, heldBytes } from "#lib/http/body/body-budget.ts";

export const LIMIT_BYTES = 1_000_000;

const shares: BodyShare[] = [];

/** A share of the budget, until {@link releaseShares}. */
export function newShare(caller?: string): BodyShare {
  const share = new BodyShare(caller);
  shares.push(share);
  return share;
}

export function read(request: Request, share = newShare()): Promise<Buffer> {
  return readBody(request, { limitBytes: LIMIT_BYTES, share });
}

/** Releases what {@link newShare} gave, for `afterEach`. Nothing may be left. */
export function releaseShares(): void {
  for (const share of shares.splice(0)) share.release();
  expect(heldBytes()).toBe(0);
}

/** The chunks of a body of `total` bytes. */
export function* pieces(total: number, size = 10_000): Generator<Uint8Array> {
  for (let sent = 0; sent < total; sent += size) yield new Uint8Array(Math.min(size, total - sent)).fill(97);
}

/** The error with which a body is refused. */
export async function refusal(reading: Promise<unknown>): Promise<AppError> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error("Got no AppError.");
  return error;
}

/** A body whose chunks the test sends itself. */
export function manualBody() {
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
