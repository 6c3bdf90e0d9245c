import connect from "postgres";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { ConnectionPool } from "#lib/db/connection-pool.ts";
import type { Lane } from "#lib/db/lanes.ts";
import { askPool } from "#tests/postgres/ask-pool.ts";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";

let postgres: Postgres;
let direct: ReturnType<typeof connect>;

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase("platen");
  direct = connect(url, { max: 1, onnotice: () => undefined });
  vi.stubEnv("DATABASE_URL", url);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await direct?.end();
  await postgres?.remove();
});

/** Stops its own process, as a disk that stands still keeps a commit: PostgreSQL cancels neither. */
const STOPPED = "copy (select 1) to program 'kill -STOP $PPID'";

async function stoppedProcesses(): Promise<number[]> {
  const rows = await direct<{ pid: number }[]>`select pid from pg_stat_activity where query = ${STOPPED}`;
  return rows.map(({ pid }) => pid);
}

async function goOn(): Promise<void> {
  for (const pid of await stoppedProcesses()) process.kill(pid, "SIGCONT");
}

/** PostgreSQL starts again after that. */
async function crash(): Promise<void> {
  for (const pid of await stoppedProcesses()) process.kill(pid, "SIGKILL");
  await expect.poll(() => stoppedProcesses().catch(String)).toEqual([]);
}

it.each([
  ["have ended", goOn],
  ["are lost in a crash", crash],
])("logins that cannot be cancelled leave connections to requests, and go on once they %s", async (_, release) => {
  const size = 4;
  const pool = new ConnectionPool(size);
  onTestFinished(() => pool.close());
  onTestFinished(goOn);
  const ask = (lane: Lane, text: string) => askPool(pool, { lane, text, timeoutMs: 1_000 });
  const logInAndRead = async () => {
    expect(await ask("logins", STOPPED)).toBe("given up");
    expect(await ask("requests", "select 1")).toBe("answered");
    return (await stoppedProcesses()).length;
  };
  // The size of the pool, and the places of logins. A login that is cut off before it has begun leaves nothing behind.
  await expect.poll(logInAndRead).toBe(size + 2);
  for (let round = 0; round < 3; round++) expect(await logInAndRead()).toBe(size + 2);
  await release();
  await expect.poll(() => ask("logins", "select 2")).toBe("answered");
  await expect.poll(stoppedProcesses).toEqual([]);
});
