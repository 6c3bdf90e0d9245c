import { sql } from "drizzle-orm";
import { NoopLogger } from "drizzle-orm/logger";
import { vi } from "vitest";
import { transaction } from "#lib/db/database.ts";

export type Statement = { text: string; params: unknown[] };

/** The statements of an act, whether it succeeds or fails. Without those that begin and end transactions. */
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

/** The plan of a statement when sequential scans are off, as on large tables. */
export async function planOf({ text, params }: Statement): Promise<string> {
  const rows = await transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    // In tables with a row or two, the planner finds every index equally good.
    await tx.execute(sql`savepoint as_it_is`);
    await tx.execute(
      sql`update pg_class set relpages = 1, reltuples = 100000 where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const pieces = text.split(/\$\d+/).map((piece) => sql.raw(piece));
    const statement = sql.empty();
    for (const [i, piece] of pieces.entries()) statement.append(i === 0 ? piece : sql`${params[i - 1]}${piece}`);
    const plan = await tx.execute(sql`explain ${statement}`);
    await tx.execute(sql`rollback to savepoint as_it_is`);
    return plan;
  });
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
