import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { LONG_LIST_PART_TOKENS, LONG_LIST_TOKENS } from "#lib/access/access-limits.ts";
import { readListOfTokens } from "#lib/access/tokens/long-lists.ts";
import { listTokens } from "#lib/access/tokens.ts";
import { query } from "#lib/db/database.ts";
import { useDatabase } from "../../database.ts";
import { addUser, outcomes } from "../people.ts";

useDatabase();

const MANY = LONG_LIST_TOKENS + 1;

let userId: string;

async function addTokens(count: number): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into tokens (id, user_id, name, prefix, secret_hash, created_at)
      select gen_random_uuid(), ${userId}, number, 'svc_abcdefgh', sha256(number::text::bytea),
        now() - number * interval '1 second'
      from generate_series(1, ${count}::integer) as number`),
  );
}

beforeEach(async () => {
  userId = (await addUser("ada")).id;
});

describe("long lists of tokens", () => {
  it("are read in parts, in order, because a query has a limit of time", async () => {
    await addTokens(LONG_LIST_PART_TOKENS + 1);
    const sizes: number[] = [];
    const ids = await readListOfTokens(userId, {}, async (part) => {
      sizes.push(part.length);
      return part;
    });
    expect(sizes).toEqual([LONG_LIST_PART_TOKENS, 1]);
    const listed = await listTokens(userId);
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(listed.map(({ name }) => name)).toEqual(ids.map((_, at) => String(at + 1)));
  });

  it("are not read on for clients that have disconnected", async () => {
    await addTokens(MANY);
    const client = new AbortController();
    const reading = outcomes([listTokens(userId, { signal: client.signal })]);
    client.abort();
    expect(await reading).toMatchObject({ done: 0 });
    expect(await listTokens(userId)).toHaveLength(MANY);
  });
});
