type BodyChunk = { bytes: Buffer; callback: (() => void) | undefined };

/** Reads the arguments of `write` and `end`: a text or bytes, the encoding of a text, and a callback. Each may be left out. */
export function readChunk([chunk, ...rest]: unknown[]): BodyChunk {
  const callback = [chunk, ...rest].find((argument) => typeof argument === "function") as BodyChunk["callback"];
  if (chunk instanceof Uint8Array) return { bytes: Buffer.from(chunk), callback };
  const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
  return { bytes: Buffer.from(typeof chunk === "string" ? chunk : "", encoding), callback };
}
