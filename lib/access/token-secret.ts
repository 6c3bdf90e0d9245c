import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "svc_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 30 of 62 characters are 178 bits. */
const RANDOM_LENGTH = 30;

/** 62^6 is more than the 2^32 values of a CRC32. */
const CHECKSUM_LENGTH = 6;

const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** A new token: a name that scanners of leaked secrets know, randomness, and a checksum (as GitHub's tokens are made). */
export function createTokenSecret(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return `${PREFIX}${random}${checksum(PREFIX + random)}`;
}

/** Whether a text could be a token at all: what was mistyped or made up costs no query. */
export function isTokenSecret(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}
