import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LONG_LIST_PART_TOKENS, LONG_LIST_TOKENS, LONG_LISTS_WAITING } from "#lib/access/access-limits.ts";
import { readListOfTokens } from "#lib/access/tokens/long-lists.ts";
import { listTokens } from "#lib/access/tokens.ts";
import { listTokensOf } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { useDatabase } from "../../database.ts";
import { addUser, OPERATOR, outcomes } from "../people.ts";

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
  it("are read one at a time, some wait, more are refused, and other readers do not wait for them", async () => {
    await addTokens(MANY);
    const held = Promise.withResolvers<void>();
    let reads = 0;
    const read = async () => {
      reads++;
      await held.promise;
      return [];
    };
    let refused = 0;
    const own = Array.from({ length: LONG_LISTS_WAITING + 4 }, () => readListOfTokens(userId, {}, read));
    for (const list of own) list.catch(() => refused++);
    await vi.waitFor(() => expect({ refused, reads }).toEqual({ refused: 3, reads: 1 }));
    expect(await listTokensOf({ actor: OPERATOR, id: userId })).toHaveLength(MANY);
    expect(await outcomes([listTokens(userId)])).toEqual({ done: 0, refused: ["overloaded"] });
    held.resolve();
    expect(await outcomes(own)).toEqual({ done: LONG_LISTS_WAITING + 1, refused: Array(3).fill("overloaded") });
    expect(await listTokens(userId)).toHaveLength(MANY);
  });

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
