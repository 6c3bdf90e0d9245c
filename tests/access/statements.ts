import { NoopLogger } from "drizzle-orm/logger";
import { vi } from "vitest";

export type Statement = { text: string; params: unknown[] };

/** What the database is asked while `act` runs, whether it succeeds or not. What begins and ends a transaction is not among it. */
export async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(NoopLogger.prototype, "logQuery" as never) as unknown as {
    mock: { calls: [string, unknown[]][] };
  };
  try {
    await act().catch(() => undefined);
    return spy.mock.calls.map(([text, params]) => ({ text, params }));
  } finally {
    vi.restoreAllMocks();
  }
}
