import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { LONG_LIST_TOKENS, LONG_LISTS_WAITING } from "#lib/access/access-limits.ts";
import { listTokenUsage } from "#lib/access/tokens/token-usage.ts";
import { listTokens } from "#lib/access/tokens.ts";
import { listTokensOf } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { useDatabase } from "../../database.ts";
import { addUser, OPERATOR, outcomes } from "../people.ts";

useDatabase();

const MANY = LONG_LIST_TOKENS + 1;

let userId: string;

/** Tokens that have each rendered once, today. */
async function addTokens(count: number): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into tokens (id, user_id, name, prefix, secret_hash, created_at)
      select gen_random_uuid(), ${userId}, number, 'svc_abcdefgh', sha256(number::text::bytea),
        now() - number * interval '1 second'
      from generate_series(1, ${count}::integer) as number`),
  );
  await query((db) =>
    db.execute(sql`insert into usage select (now() at time zone 'UTC')::date, user_id, id, 'a', 1 from tokens`),
  );
}

beforeEach(async () => {
  userId = (await addUser("ada")).id;
});

describe("long lists of tokens", () => {
  it("are read one at a time, some wait, more are refused, and other readers do not wait for them", async () => {
    await addTokens(MANY);
    for (const list of [listTokens, listTokenUsage]) {
      const asked = LONG_LISTS_WAITING + 4;
      const own = outcomes(Array.from({ length: asked }, () => list(userId)));
      expect(await listTokensOf({ actor: OPERATOR, id: userId })).toHaveLength(MANY);
      const refused = Array.from({ length: asked - LONG_LISTS_WAITING - 1 }, () => "overloaded");
      expect(await own).toEqual({ done: LONG_LISTS_WAITING + 1, refused });
      expect(await list(userId)).toHaveLength(MANY);
    }
  });

  it("are not read for clients that have disconnected while they waited", async () => {
    await addTokens(MANY);
    const client = new AbortController();
    const first = listTokens(userId);
    const second = outcomes([listTokens(userId, { signal: client.signal })]);
    client.abort();
    expect(await first).toHaveLength(MANY);
    expect(await second).toMatchObject({ done: 0 });
    expect(await listTokens(userId)).toHaveLength(MANY);
  });
});

it("short lists never wait, however many are asked for", async () => {
  await addTokens(2);
  expect(await outcomes(Array.from({ length: 40 }, () => listTokens(userId)))).toEqual({ done: 40, refused: [] });
});
