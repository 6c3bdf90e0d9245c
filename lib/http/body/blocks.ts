/** Bodies in tiny chunks would make thousands of smaller blocks. */
const MIN_BLOCK_BYTES = 4 * 1024;

/** A body takes at most this much more memory than has arrived of it. It is four times what Node reads from a socket at once. */
const MAX_BLOCK_BYTES = 256 * 1024;

/**
 * Bytes that arrive in pieces, kept in blocks. One buffer that grew would be copied again and again, and those of hundreds of bodies that
 * arrive together all at once, which held the event loop for seconds.
 */
export class Blocks {
  readonly #blocks: Buffer<ArrayBuffer>[] = [];
  /** What is free of the last block. */
  #free = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#free.length === 0) this.#addBlock(bytes.length - at);
      const part = bytes.subarray(at, at + this.#free.length);
      this.#free.set(part);
      this.#free = this.#free.subarray(part.length);
      at += part.length;
    }
    this.#length += bytes.length;
  }

  /** The first block has room for all that has arrived, because most bodies arrive in one piece. */
  #addBlock(arrived: number): void {
    const bytes = this.#blocks.length === 0 ? arrived : Math.min(this.#length, MAX_BLOCK_BYTES);
    this.#free = Buffer.allocUnsafeSlow(Math.max(bytes, MIN_BLOCK_BYTES));
    this.#blocks.push(this.#free);
  }

  /** All bytes. The blocks are freed while they are copied, so that the bytes are not in memory twice. To be called once. */
  take(): Buffer {
    const [first, ...others] = this.#blocks;
    if (!first || others.length === 0) return (first ?? this.#free).subarray(0, this.#length);
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      at += block.copy(whole, at);
      block.buffer.transfer(0);
    }
    return whole;
  }
}
