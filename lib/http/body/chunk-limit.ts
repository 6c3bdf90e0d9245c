import { AppError } from "#lib/errors.ts";
import { BODY_CHUNK_BYTES, BODY_CHUNKS } from "#lib/http/http-limits.ts";

/** Whether a body has arrived in so many chunks that they cost more than its bytes. */
export function hasTooManyChunks(chunks: number, bytes: number): boolean {
  return chunks > BODY_CHUNKS + bytes / BODY_CHUNK_BYTES;
}

/** The rest of the body is still arriving, so the connection cannot carry another request. */
export function tooManyChunks(): AppError {
  const message = `Got a body in too many small chunks, want chunks of ${BODY_CHUNK_BYTES} bytes or more.`;
  return new AppError("invalid_request", message, { headers: { Connection: "close" } });
}
