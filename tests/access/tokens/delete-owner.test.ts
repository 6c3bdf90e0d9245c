import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { DELETE_BATCH_ROWS, DELETE_PART_TOKENS } from "#lib/access/access-limits.ts";
import { deleteUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { tokens, usage, users } from "#lib/db/schema.ts";
import { useDatabase } from "../../database.ts";
import { listAuditEvents } from "../audit-events.ts";
import { addUser, CALLER, expectRefusal, OPERATOR, signIn } from "../people.ts";
import { statementsOf } from "../statements.ts";

useDatabase();

/** More tokens than are deleted with their user, each with a row of usage. */
const ROWS = DELETE_BATCH_ROWS + 1;

async function addManyRows(userId: string): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into tokens (id, user_id, name, prefix, secret_hash)
      select gen_random_uuid(), ${userId}::uuid, 'script', 'svc_', sha256(n::text::bytea) from generate_series(1, ${ROWS}::int) as n`),
  );
  await query((db) =>
    db.execute(sql`
      insert into usage (day, user_id, token_id, template, renders)
      select current_date, user_id, id, 'social/quote', 1 from tokens where user_id = ${userId}::uuid`),
  );
}

const count = async (table: typeof usage | typeof tokens | typeof users) => await query((db) => db.$count(table));
const events = async () => (await listAuditEvents({ limit: 2 })).map(({ act, actorName }) => [act, actorName]);

describe("a user with more tokens and usage than one transaction can delete in its time", () => {
  it("is deactivated, and then deleted in batches", async () => {
    const root = await signIn(await addUser("root", "admin"));
    const { id } = await addUser("ada");
    await addManyRows(id);
    const act = () => deleteUser({ actor: root.actor, id, caller: CALLER });
    const deletions = (await statementsOf(act)).map(({ text }) => text).filter((text) => text.includes("delete from"));
    const ofTable = (name: string) => deletions.filter((text) => text.includes(`delete from "${name}"`)).length;
    expect([ofTable("usage"), ofTable("tokens")]).toEqual([2, Math.ceil(ROWS / DELETE_PART_TOKENS)]);
    expect(deletions.at(-1)).toMatch(/^delete from "users"/);
    expect([await count(users), await count(tokens), await count(usage)]).toEqual([1, 0, 0]);
    const by = root.actor.user.email;
    expect(await events()).toEqual([
      ["user.deleted", by],
      ["user.updated", by],
    ]);
  });

  it("can delete themselves", async () => {
    await addUser("root", "admin");
    const { actor } = await signIn(await addUser("ada", "admin"));
    await addManyRows(actor.user.id);
    await deleteUser({ actor, id: actor.user.id, caller: CALLER });
    expect([await count(users), await count(tokens), await count(usage)]).toEqual([1, 0, 0]);
  });

  it("keeps all of it when they are the last administrator", async () => {
    const { id } = await addUser("ada", "admin");
    await addManyRows(id);
    await expectRefusal(deleteUser({ actor: OPERATOR, id, caller: CALLER }), "last_admin");
    expect([await count(users), await count(tokens), await count(usage)]).toEqual([1, ROWS, ROWS]);
  });
});
