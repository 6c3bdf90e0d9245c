import { AppError, type Issue, pointer } from "#lib/errors.ts";
import {
  ISSUE_LIMIT,
  JSON_DEPTH_LIMIT,
  JSON_NODE_LIMIT,
  JSON_NUMBER_CHARS,
  QUOTED_CHARS,
} from "#lib/http/http-limits.ts";
import { CLOSE, COLON, COMMA, codeUnit, KIND, NUMBER, NUMBER_BYTE, OPEN_ARRAY, OPEN_OBJECT } from "./json-bytes.ts";

/** Local, because a bundler may turn an imported constant into a look-up, and these are compared with every byte of a text. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Keys that reach a prototype in code that assigns them. */
const POISONED = new Set(["__proto__", "constructor", "prototype"]);

/** Where the scan stands inside one object or array. `keys` is absent in an array. */
type Frame = { keys: Set<string> | undefined; key: string; index: number };

/** One pass over the bytes of a JSON text, without recursion. It stops where the text is plainly not JSON, which the parser says after it. */
class JsonScanner {
  readonly issues: Issue[] = [];
  readonly #bytes: Buffer;
  readonly #frames: Frame[] = [];
  #nodes = 0;
  #expectsKey = false;
  /** A value, key or bracket has ended and nothing has separated the next one from it. */
  #closed = false;
  #escaped = false;
  #characterFault: string | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  run(): void {
    const bytes = this.#bytes;
    const kinds = KIND;
    for (let at = 0; at < bytes.length; at++) {
      const kind = kinds[bytes[at] as number] as number;
      if (kind === 0) continue;
      const next = this.#token(kind, at);
      if (next < 0) return;
      at = next;
    }
  }

  /** @returns the index of the last byte of the token at `at`, or -1 where the text is plainly not JSON */
  #token(kind: number, at: number): number {
    if (kind === COMMA || kind === COLON) {
      this.#separate(kind === COMMA);
      return at;
    }
    if (kind === CLOSE) {
      this.#closed = true;
      this.#expectsKey = false;
      return this.#frames.pop() === undefined ? -1 : at;
    }
    if (this.#closed) return -1;
    if (kind === OPEN_OBJECT || kind === OPEN_ARRAY) {
      this.#open(kind === OPEN_OBJECT);
      return at;
    }
    this.#closed = true;
    return kind === NUMBER ? this.#number(at) : this.#string(at + 1);
  }

  #path(): string {
    return this.#frames.reduce((path, { keys, key, index }) => {
      const segment = key.length > QUOTED_CHARS ? `${key.slice(0, QUOTED_CHARS)}…` : key;
      return pointer(path, keys ? segment.toWellFormed() : index);
    }, "");
  }

  #report(code: string, message: string): void {
    if (this.issues.length < ISSUE_LIMIT) this.issues.push({ path: this.#path(), code, message });
  }

  #refuse(code: string, message: string): never {
    throw new AppError("invalid_request", message, { issues: [{ path: this.#path(), code, message }] });
  }

  #count(): void {
    this.#nodes++;
    if (this.#nodes > JSON_NODE_LIMIT) {
      this.#refuse("too_many_values", `Got more than ${JSON_NODE_LIMIT} keys and elements, which is the limit.`);
    }
  }

  #open(isObject: boolean): void {
    this.#count();
    if (this.#frames.length === JSON_DEPTH_LIMIT) {
      this.#refuse("too_deep", `Got more than ${JSON_DEPTH_LIMIT} levels of nesting, which is the limit.`);
    }
    this.#frames.push({ keys: isObject ? new Set() : undefined, key: "", index: 0 });
    this.#expectsKey = isObject;
  }

  #separate(isComma: boolean): void {
    this.#closed = false;
    this.#expectsKey = false;
    if (!isComma) return;
    this.#count();
    const frame = this.#frames.at(-1);
    if (frame?.keys !== undefined) this.#expectsKey = true;
    else if (frame !== undefined) frame.index++;
  }

  /** @returns the index of the last byte of the number */
  #number(start: number): number {
    const bytes = this.#bytes;
    let end = start + 1;
    const inNumber = NUMBER_BYTE;
    while (end < bytes.length && inNumber[bytes[end] as number] === 1) end++;
    if (end - start > JSON_NUMBER_CHARS) {
      this.#refuse("number_too_long", `Got a number of ${end - start} characters, want at most ${JSON_NUMBER_CHARS}.`);
    }
    const value = Number(bytes.toString("latin1", start, end));
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      this.#report("number_out_of_range", "Got a number beyond 1.8e308, the largest that can be held.");
    }
    return end - 1;
  }

  /** @returns the index of the closing quote, or of the end of the text */
  #string(start: number): number {
    const bytes = this.#bytes;
    const length = bytes.length;
    this.#escaped = false;
    this.#characterFault = undefined;
    let at = start;
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at = this.#escape(at);
    }
    at = Math.min(at, length);
    if (this.#expectsKey) this.#key(start, at);
    if (this.#characterFault !== undefined) this.#report("invalid_character", this.#characterFault);
    return at;
  }

  /** @returns the index of the last byte of the escape at `at`, of which only `\u` can spell what no text may hold */
  #escape(at: number): number {
    this.#escaped = true;
    if (this.#bytes[at + 1] !== LOWER_U) return at + 1;
    if (this.#characterFault !== undefined) return at + 5;
    const unit = codeUnit(this.#bytes, at + 2);
    if (unit === 0) this.#characterFault = "Got the character U+0000, which no text may hold.";
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    if (!isSurrogate) return unit < 0 ? at + 1 : at + 5;
    const isPair = unit < 0xdc00 && this.#bytes[at + 6] === BACKSLASH && this.#bytes[at + 7] === LOWER_U;
    const second = isPair ? codeUnit(this.#bytes, at + 8) : -1;
    if (second >= 0xdc00 && second <= 0xdfff) return at + 11;
    this.#characterFault = "Got half of a surrogate pair, which is no character.";
    return at + 5;
  }

  #key(start: number, end: number): void {
    const frame = this.#frames.at(-1);
    const key = this.#decode(start, end);
    if (frame?.keys === undefined || key === undefined) return;
    frame.key = key;
    if (POISONED.has(key)) this.#report("forbidden_key", "This key is not allowed anywhere.");
    if (frame.keys.has(key)) this.#report("repeated_key", "Got this key more than once, want it once.");
    frame.keys.add(key);
  }

  /** Undefined for a key that is not JSON, which the parser will say. */
  #decode(start: number, end: number): string | undefined {
    const text = this.#bytes.toString("utf8", start, end);
    if (!this.#escaped) return text;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return undefined;
    }
  }
}

/**
 * Every fault of a JSON text that its parser would let pass: repeated and poisoned keys, NUL, lone surrogates, numbers
 * beyond a double. About 1 ns per byte.
 * @throws AppError `invalid_request` at once where a bound on depth, values or the length of a number is passed
 */
export function scanJson(bytes: Buffer): Issue[] {
  const scanner = new JsonScanner(bytes);
  scanner.run();
  return scanner.issues;
}
