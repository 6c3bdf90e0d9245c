import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** What a session cookie holds: 32 random bytes as base64url. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Whether a text could be a session's secret at all, which spares the database the rest. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** What is stored in place of a secret. Fast, because nobody guesses 32 random bytes. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
