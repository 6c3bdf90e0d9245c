import { hash, verify } from "@node-rs/argon2";
import { ARGON2 } from "./access-limits.ts";
import { whenTurnComes } from "./hash-queue.ts";

/** Unpadded, as the PHC string format wants it. */
const zeros = (bytes: number) => Buffer.alloc(bytes).toString("base64").replaceAll("=", "");

/** Costs what every hash of ours costs, and no password is known that matches. */
const NOBODYS_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$${zeros(16)}$${zeros(32)}`;

/** The same text from every keyboard: RFC 8265's OpaqueString asks for NFC, and for nothing to be trimmed or folded. */
function canonical(password: string): string {
  return password.normalize("NFC");
}

/**
 * The argon2id hash of a password, as a PHC string.
 * @throws AppError `overloaded`; the signal's reason when the client has left before its turn
 */
export async function hashPassword(password: string, signal?: AbortSignal): Promise<string> {
  return await whenTurnComes(() => hash(canonical(password), ARGON2), signal);
}

type Verification = { hash: string | undefined; password: string; signal?: AbortSignal | undefined };

/**
 * Whether a password has this hash. Without one it takes as long and says no, so that nobody learns from the clock who has
 * an account.
 * @throws as {@link hashPassword}
 */
export async function verifyPassword({ hash, password, signal }: Verification): Promise<boolean> {
  return await whenTurnComes(() => verify(hash ?? NOBODYS_HASH, canonical(password)), signal);
}
