import type { ConnectionPool } from "#lib/db/connection-pool.ts";
import type { Lane } from "#lib/db/lanes.ts";
import { QueryDeadline } from "#lib/db/query-deadline.ts";

/** Runs a statement after one that is answered at once, as in a transaction. It is given up after so many milliseconds without an answer. */
export async function askPool(
  pool: ConnectionPool,
  { lane, text, timeoutMs }: { lane: Lane; text: string; timeoutMs: number },
): Promise<"answered" | "given up"> {
  const deadline = new QueryDeadline(() => pool.answeredAt, timeoutMs);
  try {
    await pool.withConnection(
      lane,
      async (connection) => {
        await connection.run("select 1");
        await connection.run(text);
      },
      deadline,
    );
    return "answered";
  } catch {
    return "given up";
  } finally {
    deadline.clear();
  }
}
