import { createHash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const COOKIE_SECRET_BYTES = 32;
const COOKIE_SECRET = /^[\w-]{43}$/;

const TOKEN_PREFIX = "svc_";
const TOKEN_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 30 of 62 characters are 178 bits. */
const TOKEN_RANDOM_CHARS = 30;

/** 62^6 is more than the 2^32 values of a CRC32. */
const TOKEN_CHECKSUM_CHARS = 6;

const TOKEN_SECRET = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${TOKEN_RANDOM_CHARS + TOKEN_CHECKSUM_CHARS}}$`);

/** The value of a session or device cookie: 32 random bytes as base64url. */
export function createCookieSecret(): string {
  return randomBytes(COOKIE_SECRET_BYTES).toString("base64url");
}

/** Whether a text has the form of a cookie's secret. Anything else needs no query. */
export function isCookieSecret(text: string): boolean {
  return COOKIE_SECRET.test(text);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < TOKEN_CHECKSUM_CHARS; i++) {
    digits = TOKEN_ALPHABET.charAt(rest % TOKEN_ALPHABET.length) + digits;
    rest = Math.floor(rest / TOKEN_ALPHABET.length);
  }
  return digits;
}

/** A new API token in the form of GitHub's: a prefix for secret scanners, random characters, and a checksum. */
export function createTokenSecret(): string {
  const randomChar = () => TOKEN_ALPHABET.charAt(randomInt(TOKEN_ALPHABET.length));
  const random = Array.from({ length: TOKEN_RANDOM_CHARS }, randomChar).join("");
  return `${TOKEN_PREFIX}${random}${checksum(TOKEN_PREFIX + random)}`;
}

/** Whether a text has the form and the checksum of a token. A mistyped or invented token needs no query. */
export function isTokenSecret(text: string): boolean {
  return TOKEN_SECRET.test(text) && text.endsWith(checksum(text.slice(0, -TOKEN_CHECKSUM_CHARS)));
}

/** The SHA-256 that is stored in place of a secret. A slow hash would add nothing: the secrets are random, not chosen. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
