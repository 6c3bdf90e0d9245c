import { sql } from "drizzle-orm";
import { closeDatabase, type Executor, query } from "#lib/db/database.ts";
import type { GuardedServer } from "./servers.ts";

/** Few enough for the time limit of a statement on a busy machine. */
const ROWS_AT_ONCE = 10_000;

/** Runs statements in the database of a running server. */
async function inDatabase(server: GuardedServer, act: (db: Executor) => Promise<unknown>): Promise<void> {
  const before = process.env.SERVICE_DATABASE_DIR;
  process.env.SERVICE_DATABASE_DIR = server.databaseDir;
  try {
    await query(act);
    await closeDatabase();
  } finally {
    if (before === undefined) delete process.env.SERVICE_DATABASE_DIR;
    else process.env.SERVICE_DATABASE_DIR = before;
  }
}

/** Inserts users with emails ending in `@crowd.example`. Every 50th is a deactivated administrator. */
export async function addCrowd(server: GuardedServer, count: number): Promise<void> {
  await inDatabase(server, (db) =>
    db.execute(sql`
      insert into users (id, email, name, role, status, password_hash, created_at, last_login_at)
      select gen_random_uuid(), 'person' || n || '@crowd.example', 'Crowd ' || n,
        case when n % 50 = 0 then 'admin' else 'user' end, case when n % 50 = 0 then 'deactivated' else 'active' end,
        'none', now() - (n % 400) * interval '1 day',
        case when n % 3 = 0 then null else now() - (n % 90) * interval '1 day' end
      from generate_series(1, ${count}::int) as n`),
  );
}

/** Deletes the users of `addCrowd`. */
export async function removeCrowd(server: GuardedServer): Promise<void> {
  await inDatabase(server, (db) => db.execute(sql`delete from users where email like '%@crowd.example'`));
}

/** Inserts logins of a user, one minute apart, the newest one day old. */
export async function addLogins(
  server: GuardedServer,
  { id, email, count }: { id: string; email: string; count: number },
): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const to = Math.min(count, from + ROWS_AT_ONCE - 1);
    await inDatabase(server, (db) =>
      db.execute(sql`
        insert into audit_events (id, at, act, actor_id, actor_name, target_type, target_id, target_name, address)
        select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(${id} || n::text), 1, 3) || 'a' || substr(md5(${id} || n::text), 4, 15))::uuid,
          to_timestamp(ms / 1000.0), 'login', ${id}::uuid, ${email}, 'user', ${id}::uuid, ${email}, '192.0.2.' || n % 250
        from (select n, (extract(epoch from now()) * 1000)::bigint - n::bigint * 60000 - 86400000 as ms
          from generate_series(${from}::int, ${to}::int) as n) as made`),
    );
  }
}
