import connect from "postgres";
import { expect, onTestFinished, vi } from "vitest";
import { closeDatabase } from "#lib/db/database.ts";

/** Connects as a new role, which may read and write. @param settings options of `alter role` */
export async function connectAs(role: string, settings: string): Promise<void> {
  const url = process.env.DATABASE_URL as string;
  const client = connect(url, { max: 1 });
  const limited = new URL(url);
  limited.username = role;
  await closeDatabase();
  await client.unsafe(`create role ${role} login in role pg_read_all_data, pg_write_all_data`);
  await client.unsafe(`alter role ${role} ${settings}`);
  vi.stubEnv("DATABASE_URL", limited.href);
  onTestFinished(async () => {
    await closeDatabase();
    vi.stubEnv("DATABASE_URL", url);
    const isLeft = () => client`select from pg_stat_activity where usename = ${role}`;
    await expect.poll(isLeft).toHaveLength(0);
    await client.unsafe(`drop role ${role}`);
    await client.end();
  });
}
