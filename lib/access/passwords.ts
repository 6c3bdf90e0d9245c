import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { warnRarely } from "#lib/db/rare-warnings.ts";
import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import { ARGON2, HASHES_RETRY_SECONDS, HASHES_WAITING, hashesAtOnce } from "./access-limits.ts";

const HASHES_AT_ONCE = hashesAtOnce(availableParallelism());

/** Known browsers go first: see {@link verifyPassword}. */
type HashQueue = { running: number; waiting: { known: Set<() => void>; others: Set<() => void> } };

const queue = processState(
  "hash-queue",
  (): HashQueue => ({ running: 0, waiting: { known: new Set(), others: new Set() } }),
);

function overloaded(): AppError {
  return new AppError("overloaded", "Too many passwords are being checked at the moment. Please try again shortly.", {
    headers: { "Retry-After": String(HASHES_RETRY_SECONDS) },
  });
}

type Whose = { signal: AbortSignal | undefined; isKnown?: boolean | undefined };

/** Waits until another hash may run. Leaves the queue as soon as `signal` aborts. */
function waitForPlace({ signal, isKnown = false }: Whose): Promise<void> {
  const waiting = queue.get().waiting[isKnown ? "known" : "others"];
  if (waiting.size >= HASHES_WAITING) return Promise.reject(overloaded());
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(enter);
      reject(signal?.reason);
    };
    waiting.add(enter);
    signal?.addEventListener("abort", leave, { once: true });
  });
}

/** Runs `work` while at most {@link HASHES_AT_ONCE} run. @throws as {@link hashPassword} */
async function queueHash<T>(work: () => Promise<T>, whose: Whose): Promise<T> {
  whose.signal?.throwIfAborted();
  const current = queue.get();
  if (current.running >= HASHES_AT_ONCE) await waitForPlace(whose);
  else current.running++;
  try {
    return await work();
  } finally {
    const waiting = current.waiting.known.size > 0 ? current.waiting.known : current.waiting.others;
    const [next] = waiting;
    // `running` stays unchanged: the place passes to the first waiting request, and no later request can take it.
    if (next) {
      waiting.delete(next);
      next();
    } else current.running--;
  }
}

/** Base64 without padding, as the PHC string format requires. */
const zeros = (bytes: number) => Buffer.alloc(bytes).toString("base64").replaceAll("=", "");

/** A hash that takes as long to verify as a real one. No known password matches it. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$${zeros(16)}$${zeros(32)}`;

/** The library throws for a hash that another program has written, or that is cut. It matches no password, after the same time. */
async function matches(hash: string, password: string): Promise<boolean> {
  try {
    return await verify(hash, password);
  } catch (error) {
    const isMatch = await verify(DUMMY_HASH, password);
    warnRarely(
      { err: error, remedy: "npm run users -- set-password <email>" },
      "A password hash in the database cannot be read. Its user cannot sign in.",
    );
    return isMatch;
  }
}

/** The same text from every keyboard: RFC 8265's OpaqueString requires NFC, without trimming or case folding. */
function normalize(password: string): string {
  return password.normalize("NFC");
}

/**
 * The argon2id hash of a password, as a PHC string.
 * @throws AppError `overloaded` when the queue is full; the signal's reason when it aborts before the hash starts
 */
export async function hashPassword(password: string, signal?: AbortSignal): Promise<string> {
  return await queueHash(() => hash(normalize(password), ARGON2), { signal });
}

type Verification = {
  hash: string | undefined;
  password: string;
  signal?: AbortSignal | undefined;
  /** Whether the account knows the browser. Known browsers go first, so that a flood of strangers does not delay them. */
  isKnown?: boolean;
};

/**
 * Whether a password matches a hash. Without a hash it returns false after the same time, so that the response
 * time does not reveal which accounts exist.
 * @throws as {@link hashPassword}
 */
export async function verifyPassword({ hash, password, signal, isKnown }: Verification): Promise<boolean> {
  return await queueHash(() => matches(hash ?? DUMMY_HASH, normalize(password)), { signal, isKnown });
}
