import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import { IMAGE_CHUNK_BYTES, IMAGE_CHUNKS, MAX_TLS_TICKETS, TLS_SETUP_BYTES } from "../image-limits.ts";
import { currentImages, imagesFor } from "../render-images.ts";
import { inHandshakeTurn, inPieceTurn } from "../thread-turns.ts";

const RECORD_HEAD_BYTES = 5;

function excess(what: string): Error {
  return Object.assign(new Error(`The server sends too many bytes or pieces of TLS: ${what}.`), { code: "TLS_EXCESS" });
}

/** Counts the records of TLS in a stream of bytes. */
class RecordCount {
  records = 0;
  /** Bytes of the record under way that have not arrived. */
  #left = 0;
  #head = Buffer.alloc(0);

  add(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(this.#left, chunk.length - at);
      this.#left -= skipped;
      at += skipped;
      if (this.#left > 0 || at === chunk.length) return;
      const taken = chunk.subarray(at, at + RECORD_HEAD_BYTES - this.#head.length);
      at += taken.length;
      this.#head = Buffer.concat([this.#head, taken]);
      if (this.#head.length < RECORD_HEAD_BYTES) return;
      this.records++;
      this.#left = this.#head.readUInt16BE(3);
      this.#head = Buffer.alloc(0);
    }
  }
}

/**
 * A connection below TLS. What arrives is handed on in turns of the thread: it verifies certificates, computes keys and decrypts
 * synchronously, and a server decides how much of that is to be done.
 */
class PacedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #images = currentImages();
  readonly #count = new RecordCount();
  readonly #ended = new AbortController();
  #bytes = 0;
  /** Settles when all that has arrived is handed on. The end of the connection does not wait for a paused socket to be read. */
  #handed: Promise<void> = Promise.resolve();
  isSecure = false;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket
      .on("data", (chunk) => {
        socket.pause();
        this.#handed = this.#handed.then(() => this.#handOn(chunk));
      })
      .once("end", () => void this.#handed.then(() => this.push(null)))
      .once("error", (error) => void this.#handed.then(() => this.destroy(error)))
      .once("close", () => void this.#handed.then(() => this.destroy()))
      .pause();
  }

  async #handOn(chunk: Buffer): Promise<void> {
    if (this.destroyed) return;
    const hand = () => {
      const fault = this.#faultOf(chunk);
      if (fault) this.destroy(fault);
      else this.push(chunk);
    };
    // Only the end of the connection keeps it from its turn.
    const inTurn = this.isSecure ? inPieceTurn : inHandshakeTurn;
    await imagesFor(this.#images, () => inTurn(hand, this.#ended.signal)).catch(() => undefined);
  }

  #faultOf(chunk: Buffer): Error | undefined {
    this.#bytes += chunk.length;
    this.#count.add(chunk);
    if (!this.isSecure && this.#bytes > TLS_SETUP_BYTES) return excess("certificates");
    return this.#count.records > IMAGE_CHUNKS + this.#bytes / IMAGE_CHUNK_BYTES ? excess("records") : undefined;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#ended.abort();
    this.#socket.destroy();
    done(error);
  }
}

/** Session tickets may be hundreds in one record, so that records alone do not limit them. */
function limitTickets(socket: Socket | TLSSocket): void {
  let tickets = 0;
  socket.on("session", () => {
    tickets++;
    if (tickets === MAX_TLS_TICKETS + 1) socket.destroy(excess("session tickets"));
  });
}

/** Opens the connection first, and then TLS on it in turns. @param connect opens both kinds of connections */
export function pacedConnector(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    if (options.protocol !== "https:") return connect(options, callback);
    connect({ ...options, protocol: "http:", port: options.port || "443" }, (error, socket) => {
      if (error) return callback(error, null);
      const paced = new PacedSocket(socket);
      // Its type is that of a socket, but TLS takes any stream.
      connect({ ...options, httpSocket: paced as unknown as Socket }, (...[failure, secure]) => {
        if (failure) return callback(failure, null);
        paced.isSecure = true;
        limitTickets(secure);
        callback(null, secure);
      });
    });
  };
}
