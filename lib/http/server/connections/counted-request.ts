import { IncomingMessage } from "node:http";
import { hasTooManyChunks, tooManyChunks } from "#lib/http/body/chunk-limit.ts";
import { refuseConnection } from "./refusal.ts";
import { stopParsing } from "./stop-parsing.ts";

/** A request that counts the chunks of its body. Too many small ones end its connection, even if nothing reads the body. */
export class CountedRequest extends IncomingMessage {
  #chunks = 0;
  #bytes = 0;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return super.push(chunk, encoding);
    this.#chunks++;
    this.#bytes += chunk.length;
    if (!hasTooManyChunks(this.#chunks, this.#bytes)) return super.push(chunk, encoding);
    stopParsing(this.socket);
    // Later, because the parser is still working on the packet.
    setImmediate(refuseConnection, this.socket, tooManyChunks());
    return false;
  }
}
