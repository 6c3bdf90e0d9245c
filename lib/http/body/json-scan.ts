import { AppError, type Issue, pointer } from "#lib/errors.ts";
import { ISSUE_LIMIT, JSON_DEPTH_LIMIT, JSON_NUMBER_CHARS, QUOTED_CHARS } from "#lib/http/http-limits.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Keys that reach a prototype in code that assigns them. */
const POISONED_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** The first character of each token that is checked. `true`, `false` and `null` need no check. */
const TOKEN_START = /[{}[\],:"\d-]/g;

/** A number, or enough of its characters to know that it is too long. */
const NUMBER = new RegExp(`[-+.eE\\d]{1,${JSON_NUMBER_CHARS + 1}}`, "y");

/** One open object or array. `keys` is absent in an array; `key` and `index` name the current member. */
type Container = { keys?: Set<string>; key: string; index: number };

/** What may come next. A scalar and a closing bracket both end a value. */
type Expected = "key" | "colon" | "value" | "end of value";

class JsonScanner {
  readonly issues: Issue[] = [];
  readonly #text: string;
  readonly #nodeLimit: number;
  readonly #open: Container[] = [];
  #expected: Expected = "value";
  #nodes = 0;

  constructor(text: string, nodeLimit: number) {
    this.#text = text;
    this.#nodeLimit = nodeLimit;
  }

  run(): void {
    let at: number | undefined = 0;
    while (at !== undefined) {
      TOKEN_START.lastIndex = at;
      if (!TOKEN_START.test(this.#text)) return;
      at = this.#token(TOKEN_START.lastIndex - 1);
    }
  }

  /** Takes the token that starts at `at`. @returns where it ends, or undefined where the text is not JSON */
  #token(at: number): number | undefined {
    switch (this.#text[at]) {
      case '"':
        return this.#string(at);
      case "{":
        return this.#begin({ keys: new Set(), key: "", index: 0 }) ? at + 1 : undefined;
      case "[":
        return this.#begin({ key: "", index: 0 }) ? at + 1 : undefined;
      case "}":
      case "]":
        this.#expected = "end of value";
        return this.#open.pop() ? at + 1 : undefined;
      case ",":
        return this.#nextMember() ? at + 1 : undefined;
      case ":":
        if (this.#expected !== "colon") return undefined;
        this.#expected = "value";
        return at + 1;
      default:
        return this.#number(at);
    }
  }

  #begin(container: Container): boolean {
    if (this.#expected !== "value") return false;
    this.#countNode();
    if (this.#open.length === JSON_DEPTH_LIMIT)
      throw this.#refusal("too_deep", `Got more than ${JSON_DEPTH_LIMIT} levels of nesting, which is the limit.`);
    this.#open.push(container);
    this.#expected = container.keys ? "key" : "value";
    return true;
  }

  #nextMember(): boolean {
    const container = this.#open.at(-1);
    if (container === undefined) return false;
    this.#countNode();
    container.index++;
    this.#expected = container.keys ? "key" : "value";
    return true;
  }

  #countNode(): void {
    this.#nodes++;
    if (this.#nodes > this.#nodeLimit)
      throw this.#refusal("too_many_values", `Got more than ${this.#nodeLimit} keys and elements, which is the limit.`);
  }

  #number(start: number): number | undefined {
    if (this.#expected !== "value") return undefined;
    this.#expected = "end of value";
    NUMBER.lastIndex = start;
    NUMBER.test(this.#text);
    const end = NUMBER.lastIndex;
    if (end - start > JSON_NUMBER_CHARS)
      throw this.#refusal(
        "number_too_long",
        `Got a number of more than ${JSON_NUMBER_CHARS} characters, which is the limit.`,
      );
    if (Math.abs(Number(this.#text.slice(start, end))) === Number.POSITIVE_INFINITY)
      this.#report("number_out_of_range", "Got a number beyond 1.8e308, the largest that can be held.");
    return end;
  }

  #string(start: number): number | undefined {
    const end = closingQuote(this.#text, start + 1) + 1;
    const isKey = this.#expected === "key";
    if (end === 0 || !(isKey || this.#expected === "value")) return undefined;
    this.#expected = isKey ? "colon" : "end of value";
    const token = this.#text.slice(start, end);
    // Only a `\u` escape can produce a forbidden character. Keys are decoded for any escape, because they are compared.
    const isEscaped = token.includes(isKey ? "\\" : "\\u");
    const text = isEscaped ? decode(token) : token.slice(1, -1);
    if (text === undefined) return undefined;
    if (isKey) this.#key(text);
    if (text.includes("\0")) this.#report("invalid_character", "Got the character U+0000, which is not allowed.");
    else if (!text.isWellFormed())
      this.#report("invalid_character", "Got half of a surrogate pair, which is not a character.");
    return end;
  }

  #key(key: string): void {
    const container = this.#open.at(-1);
    if (!container?.keys) return;
    container.key = key;
    if (POISONED_KEYS.has(key)) this.#report("forbidden_key", "This key is not allowed anywhere.");
    if (container.keys.has(key)) this.#report("repeated_key", "Got this key more than once, want it once.");
    container.keys.add(key);
  }

  #path(): string {
    return this.#open.reduce((path, { keys, key, index }) => {
      const quoted = key.length > QUOTED_CHARS ? `${key.slice(0, QUOTED_CHARS)}…` : key;
      return pointer(path, keys ? quoted.toWellFormed() : index);
    }, "");
  }

  #report(code: string, message: string): void {
    if (this.issues.length < ISSUE_LIMIT) this.issues.push({ path: this.#path(), code, message });
  }

  #refusal(code: string, message: string): AppError {
    return new AppError("invalid_request", message, { issues: [{ path: this.#path(), code, message }] });
  }
}

/** The index of the quote that ends a string, or -1. Most strings have no backslash, and long ones are images: those are searched natively. */
function closingQuote(text: string, start: number): number {
  const first = text.indexOf('"', start);
  if (first < 0 || !text.slice(start, first).includes("\\")) return first;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return -1;
}

/** The value of a string token; undefined where an escape is not JSON. */
function decode(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

/**
 * The faults of a JSON text that `JSON.parse` accepts: repeated and poisoned keys, NUL, lone surrogates, numbers beyond a
 * double. It stops at a syntax error without reporting it: the caller also runs `JSON.parse`.
 * It uses no recursion and stops at every limit, so that no text blocks the event loop. The visitor of jsonc-parser takes 1.8
 * times as long for 12 MB of base64, and 23 times for 12 MB of blanks.
 * @param nodeLimit how many keys and elements it may hold
 * @throws AppError `invalid_request` where the text is too deep, holds too many values, or too long a number
 */
export function scanJson(text: string, nodeLimit: number): Issue[] {
  const scanner = new JsonScanner(text, nodeLimit);
  scanner.run();
  return scanner.issues;
}
