import { fstatSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** How much of the log waits where it cannot be written, in bytes: a thousand lines. Later ones are lost. */
const WAITING_BYTES = 262_144;

/** Takes a text, now or later. @returns false when it is lost, because too much waits */
export type Sink = (text: string) => boolean;

/**
 * Writes to a file or a terminal, at once. What a full disk does not take is written before the next text, so that no line is torn.
 * A log that cannot be written must not end the service. pino's own destination throws for a full disk, and waits for a slow reader
 * while nothing else runs. Its asynchronous form loses the last lines of a process that is killed.
 */
export function fileSink(descriptor: number): Sink {
  let waiting = Buffer.alloc(0);
  return (text) => {
    const isTaken = waiting.length < WAITING_BYTES;
    if (isTaken) waiting = Buffer.concat([waiting, Buffer.from(text)]);
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(descriptor, waiting));
    } catch {
      // ENOSPC, or EIO of a terminal that is gone.
    }
    return isTaken;
  };
}

/**
 * Writes to a pipe or a socket, at once while its reader leaves room. A write that waits for the reader would hold the event loop,
 * with every request and signal, for as long as the reader stands still.
 */
function streamSink(stream: Writable): Sink {
  // EPIPE. Without a reader there is nowhere to log to, and the service goes on.
  stream.on("error", () => undefined);
  return (text) => {
    if (stream.writableLength >= WAITING_BYTES) return false;
    stream.write(text);
    return true;
  };
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}

/** The sink of standard output (1) or standard error (2). */
export function standardSink(descriptor: 1 | 2): Sink {
  if (isPipe(descriptor)) return streamSink(descriptor === 1 ? process.stdout : process.stderr);
  return fileSink(descriptor);
}

/** Adds a line about lost lines as soon as there is room again. */
export function tellLosses(sink: Sink, lineOf: (lost: number) => string): (text: string) => void {
  let lost = 0;
  return (text) => {
    if (lost > 0 && sink(lineOf(lost))) lost = 0;
    if (!sink(text)) lost++;
  };
}
