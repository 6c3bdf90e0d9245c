import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { USAGE_PART_ROWS, USAGE_PART_TOKENS } from "#lib/access/access-limits.ts";
import { query } from "#lib/db/database.ts";
import { addUser, signIn } from "../../access/people.ts";
import { planOf, type Statement, statementsOf } from "../../access/statements.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { send } from "../client.ts";

useDatabase();

let session: string;
let userId: string;

beforeEach(async () => {
  const { secret, actor } = await signIn(await addUser("ada"));
  session = secret;
  userId = actor.user.id;
});

/** Tokens that are named by their age, the newest is 1. Every third one is revoked. */
async function addTokens(count: number): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into tokens (id, user_id, name, prefix, secret_hash, created_at, revoked_at)
      select gen_random_uuid(), ${userId}, number, 'svc_abcdefgh', sha256(number::text::bytea),
        now() - number * interval '1 second', case when number % 3 = 0 then now() end
      from generate_series(1, ${count}::integer) as number`),
  );
}

/** Renders of each token today and 29 days ago: as many as its name says, with so many templates. */
async function addUsage(templates: number): Promise<void> {
  for (const days of [0, 29])
    await query((db) =>
      db.execute(sql`
        insert into usage select (now() at time zone 'UTC')::date - ${days}::integer, user_id, id, 'template-' || number, tokens.name::integer
        from tokens, generate_series(1, ${templates}::integer) as number`),
    );
}

const get = (path: string) => send("GET", path, { session });

async function names(path: string): Promise<{ names: string[]; total: string | null }> {
  const response = await get(path);
  const listed: { name: string }[] = await response.json();
  return { names: listed.map(({ name }) => name), total: response.headers.get("X-Total-Count") };
}

describe("a list of tokens", () => {
  it("has the first tokens of a kind, and tells how many there are", async () => {
    await addTokens(8);
    const all = ["1", "2", "3", "4", "5", "6", "7", "8"];
    expect(await names("tokens?other=parameter")).toEqual({ names: all, total: "8" });
    expect(await names("tokens?limit=2")).toEqual({ names: ["1", "2"], total: "8" });
    expect(await names("tokens?status=active")).toEqual({ names: ["1", "2", "4", "5", "7", "8"], total: "6" });
    expect(await names("tokens?status=active&sort=createdAt&limit=2")).toEqual({ names: ["8", "7"], total: "6" });
    expect(await names(`users/${userId}/tokens?status=revoked&limit=1`)).toEqual({ names: ["3"], total: "2" });
    expect((await errorOf(await get("tokens?limit=501"))).code).toBe("invalid_request");
  });
});

describe("a list of usage", () => {
  const totals = async (path: string) => {
    const listed: { tokenId: string; total: number; days: { renders: number }[] }[] = await (await get(path)).json();
    for (const { days, total } of listed) {
      expect(days).toHaveLength(30);
      expect(days.reduce((sum, { renders }) => sum + renders, 0)).toBe(total);
    }
    return listed.map(({ total }) => total);
  };

  it.each([1, Math.ceil((USAGE_PART_ROWS + 1) / 16)])(
    "is that of the same list of tokens, where each has renders with %i templates",
    async (templates) => {
      await addTokens(8);
      await addUsage(templates);
      const scaled = (...counts: number[]) => counts.map((count) => count * 2 * templates);
      expect((await totals("tokens/usage")).toSorted((a, b) => a - b)).toEqual(scaled(1, 2, 3, 4, 5, 6, 7, 8));
      expect(await totals("tokens/usage?sort=createdAt")).toEqual(scaled(8, 7, 6, 5, 4, 3, 2, 1));
      expect(await totals("tokens/usage?status=active&limit=3")).toEqual(scaled(1, 2, 4));
      expect(await totals("tokens/usage?status=active&sort=createdAt&limit=2")).toEqual(scaled(8, 7));
      expect(await totals(`users/${userId}/tokens/usage?status=revoked`)).toEqual(scaled(3, 6));
    },
  );

  it("of some of many tokens reads only their rows, of a part of them at a time", async () => {
    await addTokens(4 * USAGE_PART_TOKENS);
    await addUsage(Math.ceil((USAGE_PART_ROWS + 1) / USAGE_PART_TOKENS / 8));
    const limit = 2 * USAGE_PART_TOKENS + 1;
    const statements = await statementsOf(() => get(`tokens/usage?limit=${limit}`));
    const parts = statements.filter(({ text }) => text.includes("unnest"));
    expect(parts).toHaveLength(3);
    const plan = await planOf(parts[0] as Statement);
    expect(plan).toMatch(/Index Scan using usage_token_id on usage[^\n]*\n *Index Cond: \(\(ROW\(token_id, day\)/);
    expect(await totals(`tokens/usage?limit=${limit}`)).toHaveLength(limit);
  });
});
