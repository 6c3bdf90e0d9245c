import { asc, sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { auditSeals } from "#lib/db/schema.ts";

type Events = {
  count: number;
  /** The age of the newest event. The others are a second older each. */
  age: string;
};

/** Adds events with a value in every column. */
export async function addEvents({ count, age }: Events): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into audit_events
        (id, at, act, actor_id, actor_name, target_type, target_id, target_name, detail, address, request_id)
      select gen_random_uuid(), now() - ${age}::interval - n * interval '1 second', 'user.updated', gen_random_uuid(),
        'root@example.com', 'user', gen_random_uuid(), 'ada@example.com', '{"role": "admin", "name": "Ada"}', '192.0.2.1',
        n::text
      from generate_series(0, ${count}::int - 1) as n`),
  );
}

export const seals = () => query((db) => db.select().from(auditSeals).orderBy(asc(auditSeals.sequence)));
export const execute = (statement: ReturnType<typeof sql>) => query((db) => db.execute(statement));
