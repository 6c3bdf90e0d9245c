import { eq } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { tokens } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import { LONG_LIST_TOKENS, LONG_LISTS_RETRY_SECONDS, LONG_LISTS_WAITING } from "../access-limits.ts";

/** The long lists of one reader: how many are being read or wait, and the end of the last one. */
type Line = { last: Promise<unknown>; size: number };

const lines = processState("long-lists", () => new Map<string, Line>());

/** Who asks for a list. */
export type Reader = {
  /** The id of the user who asks; the owner of the list when absent. */
  reader?: string | undefined;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal | undefined;
};

/** Runs tasks of one reader one after the other. @throws AppError `overloaded` when many wait; what `task` throws */
async function inLine<T>(reader: string, task: () => Promise<T>): Promise<T> {
  const line = lines.get().get(reader) ?? { last: Promise.resolve(), size: 0 };
  if (line.size > LONG_LISTS_WAITING)
    throw new AppError("overloaded", "Too many long lists are being read at once. Please try again shortly.", {
      headers: { "Retry-After": String(LONG_LISTS_RETRY_SECONDS) },
    });
  lines.get().set(reader, line);
  line.size++;
  const result = line.last.then(task);
  line.last = result.catch(() => undefined);
  try {
    return await result;
  } finally {
    line.size--;
    if (line.size === 0) lines.get().delete(reader);
  }
}

/** Whether a user has so many tokens that a list of them takes long. It reads no more rows than it has to. */
async function hasManyTokens(userId: string): Promise<boolean> {
  const beyond = await query((db) =>
    db.select({ id: tokens.id }).from(tokens).where(eq(tokens.userId, userId)).offset(LONG_LIST_TOKENS).limit(1),
  );
  return beyond.length > 0;
}

/**
 * Reads a list that has an item for each token of a user. Tokens are never deleted, so that it may have tens of thousands. A reader
 * gets one such list at a time: eight at once kept the embedded database from everyone else for ten seconds. Short lists never wait.
 * @throws AppError `overloaded` when many long lists of this reader wait; the signal's reason; what `read` throws
 */
export async function readListOfTokens<T>(
  userId: string,
  { reader = userId, signal }: Reader,
  read: () => Promise<T>,
): Promise<T> {
  if (!(await hasManyTokens(userId))) return await read();
  return await inLine(reader, async () => {
    signal?.throwIfAborted();
    return await read();
  });
}
