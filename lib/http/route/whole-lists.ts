import { processState } from "#lib/process-state.ts";

/** The end of the last list that each account has asked for. */
const lines = processState("whole-lists", () => new Map<string, Promise<unknown>>());

/**
 * Reads and writes lists of any length, those of an account one after the other. A list of 10,000 users takes a third of a second, in pieces
 * that take turns with those of other requests: a hundred lists at once would keep everyone else waiting for seconds.
 * @param account the id of the user who asks
 * @param signal aborts when the client disconnects
 * @param task checks by itself what the account may read: while many lists wait, its session may end and its role may change
 * @throws the signal's reason, for a client that has left while it waited; what `task` throws
 */
export async function inLine<T>(account: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  const before = lines.get().get(account) ?? Promise.resolve();
  const result = before.then(() => {
    signal.throwIfAborted();
    return task();
  });
  const end = result.catch(() => undefined);
  lines.get().set(account, end);
  try {
    return await result;
  } finally {
    if (lines.get().get(account) === end) lines.get().delete(account);
  }
}

/**
 * Makes the parts of a stream {@link inLine}, each only when its client reads it. So a client that reads slowly does not keep the account's
 * other lists waiting.
 */
export async function* partsInLine<T>(
  account: string,
  signal: AbortSignal,
  parts: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    for (;;) {
      const part = await inLine(account, signal, () => parts.next());
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return();
  }
}
