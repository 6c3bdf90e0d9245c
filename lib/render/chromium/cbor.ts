/**
 * CBOR (RFC 8949) in the dialect of Chromium's `crdtp`
 * (https://chromium.googlesource.com/deps/inspector_protocol/+/HEAD/crdtp/cbor.h). Each message is an envelope with its length
 * in 32 bits. Maps and arrays have an end marker instead of a length. Text is UTF-8, or UTF-16 in a byte string. Binary values
 * are byte strings with the tag "to be base64".
 */
const ENVELOPE_HEAD = Buffer.from([0xd8, 0x18, 0x5a]);

/** Length of an envelope's head: its tag and the length of its content. */
export const ENVELOPE_HEAD_BYTES = 7;

const END = 0xff;
const MAP = 0xbf;
const ARRAY = 0x9f;
const FALSE = 0xf4;
const TRUE = 0xf5;
const NULL = 0xf6;
const DOUBLE = 0xfb;
const TEXT_32 = 0x7a;
const POSITIVE_32 = 0x1a;
const NEGATIVE_32 = 0x3a;

const BINARY_TAG = 22;
const INT32_MAX = 2 ** 31 - 1;

/** More levels than any message of the protocol has, and few enough not to exhaust the stack. */
const DEPTH_MAX = 300;

/** @returns the length of an envelope with its head, given at least its head @throws Error for another head */
export function envelopeBytes(head: Buffer): number {
  if (!head.subarray(0, ENVELOPE_HEAD.length).equals(ENVELOPE_HEAD))
    throw new Error("Got other bytes, want the head of an envelope.");
  return ENVELOPE_HEAD_BYTES + head.readUInt32BE(ENVELOPE_HEAD.length);
}

function withLength(head: Buffer | number, length: number): Buffer {
  const start = typeof head === "number" ? Buffer.from([head]) : head;
  const bytes = Buffer.alloc(start.length + 4);
  start.copy(bytes);
  bytes.writeUInt32BE(length, start.length);
  return bytes;
}

function encodeNumber(value: number): Buffer {
  if (Number.isInteger(value) && Math.abs(value) <= INT32_MAX)
    return value < 0 ? withLength(NEGATIVE_32, -1 - value) : withLength(POSITIVE_32, value);
  const bytes = Buffer.from([DOUBLE, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function wrap(parts: Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [withLength(ENVELOPE_HEAD, length), ...parts];
}

function encodeParts(value: unknown): Buffer[] {
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return [withLength(TEXT_32, text.length), text];
  }
  if (typeof value === "number") return [encodeNumber(value)];
  if (typeof value === "boolean") return [Buffer.from([value ? TRUE : FALSE])];
  if (value === null) return [Buffer.from([NULL])];
  if (Array.isArray(value)) return wrap([Buffer.from([ARRAY]), ...value.flatMap(encodeParts), Buffer.from([END])]);
  if (typeof value !== "object") throw new TypeError(`Got ${typeof value}, want a value that JSON can hold.`);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const pairs = entries.flatMap(([key, inner]) => [...encodeParts(key), ...encodeParts(inner)]);
  return wrap([Buffer.from([MAP]), ...pairs, Buffer.from([END])]);
}

/** @throws TypeError for a value that JSON cannot hold */
export function encodeMessage(message: unknown): Buffer {
  return Buffer.concat(encodeParts(message));
}

/** What a binary value becomes in the decoded message. */
type MapBytes = (bytes: Buffer) => unknown;

/** Reads one value after another. Its methods throw RangeError when the bytes end too early. */
class Reader {
  readonly #bytes: Buffer;
  readonly #mapBytes: MapBytes;
  #at = 0;
  #depth = 0;

  constructor(bytes: Buffer, mapBytes: MapBytes) {
    this.#bytes = bytes;
    this.#mapBytes = mapBytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(): unknown {
    const head = this.#byte();
    const [type, info] = [head >> 5, head & 0x1f];
    if (type === 0) return this.#length(info);
    if (type === 1) return -1 - this.#length(info);
    if (type === 2) return this.#take(this.#length(info)).toString("utf16le");
    if (type === 3) return this.#take(this.#length(info)).toString();
    if (type === 6) return this.#tagged(this.#length(info));
    if (head === ARRAY) return this.#within(() => this.#items());
    if (head === MAP) return this.#within(() => Object.fromEntries(this.#pairs()));
    return this.#simple(head);
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError(`Got ${this.#bytes.length} bytes, want at least ${end}.`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #length(info: number): number {
    if (info < 24) return info;
    if (info === 24) return this.#byte();
    if (info === 25) return this.#take(2).readUInt16BE();
    if (info === 26) return this.#take(4).readUInt32BE();
    if (info === 27) return Number(this.#take(8).readBigUInt64BE());
    throw new Error(`Got a length of kind ${info}, want one of 0 to 27.`);
  }

  #tagged(tag: number): unknown {
    const length = this.#length(this.#byte() & 0x1f);
    if (tag === BINARY_TAG) return this.#mapBytes(this.#take(length));
    // An inner envelope: its length is only needed to skip it.
    return this.#within(() => this.value());
  }

  #within<T>(read: () => T): T {
    if (++this.#depth > DEPTH_MAX) throw new RangeError(`Got more than ${DEPTH_MAX} levels.`);
    const value = read();
    this.#depth--;
    return value;
  }

  #isEnd(): boolean {
    if (this.#bytes[this.#at] !== END) return false;
    this.#at++;
    return true;
  }

  #items(): unknown[] {
    const items: unknown[] = [];
    while (!this.#isEnd()) items.push(this.value());
    return items;
  }

  *#pairs(): Generator<[string, unknown]> {
    while (!this.#isEnd()) yield [String(this.value()), this.value()];
  }

  #simple(head: number): unknown {
    if (head === FALSE || head === TRUE) return head === TRUE;
    if (head === NULL) return null;
    if (head === DOUBLE) return this.#take(8).readDoubleBE();
    throw new Error(`Got byte ${head}, which starts no value.`);
  }
}

/**
 * @param message exactly one envelope
 * @param mapBytes gets each binary value as a view of `message`
 * @throws Error for bytes in another form
 */
export function decodeMessage(message: Buffer, mapBytes: MapBytes): unknown {
  const reader = new Reader(message, mapBytes);
  const value = reader.value();
  if (!reader.isAtEnd) throw new Error("Got more than one value, want one.");
  return value;
}
