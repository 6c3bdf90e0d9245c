import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { USAGE_PART_ROWS } from "#lib/access/access-limits.ts";
import { listTokenUsage } from "#lib/access/tokens/token-usage.ts";
import { query } from "#lib/db/database.ts";
import { useDatabase } from "../../database.ts";
import { addToken, addUser, signIn } from "../people.ts";
import { planOf, statementsOf } from "../statements.ts";

useDatabase();

/** Two tokens of a user, whose ids are in order. */
let userId: string;
let first: string;
let second: string;

beforeEach(async () => {
  const { actor } = await signIn(await addUser("ada"));
  userId = actor.user.id;
  [first, second] = [(await addToken(actor)).id, (await addToken(actor)).id];
});

/** Renders of a token with so many templates, two of each, some days ago. */
async function addUsage(tokenId: string | null, daysAgo: number, templates: number): Promise<void> {
  await query((db) =>
    db.execute(sql`
      insert into usage select (now() at time zone 'UTC')::date - ${daysAgo}::integer, ${userId}, ${tokenId}, 'template-' || number, 2
      from generate_series(1, ${templates}::integer) as number`),
  );
}

it("long usage is complete where the rows of a token or a day are in several parts", async () => {
  await addUsage(first, 0, USAGE_PART_ROWS - 1);
  await addUsage(second, 0, USAGE_PART_ROWS + 1);
  await addUsage(second, 29, 3);
  await addUsage(second, 30, 3);
  await addUsage(null, 0, 3);
  const usage = new Map((await listTokenUsage(userId)).map((token) => [token.tokenId, token]));
  expect([...usage.keys()].toSorted()).toEqual([first, second].toSorted());
  expect(usage.get(first)).toMatchObject({ total: 2 * (USAGE_PART_ROWS - 1) });
  expect(usage.get(second)).toMatchObject({ total: 2 * (USAGE_PART_ROWS + 4) });
  expect(usage.get(second)?.days).toHaveLength(30);
  expect(usage.get(second)?.days.filter(({ renders }) => renders > 0)).toEqual([
    { day: expect.any(String), renders: 6 },
    { day: expect.any(String), renders: 2 * (USAGE_PART_ROWS + 1) },
  ]);
});

it("no statement reads more rows than one part, in the order of an index", async () => {
  // As in a database whose last analysis found renders in sessions only: one that trusts it takes any index of tokens for a short one.
  await addUsage(null, 0, 100);
  await query((db) => db.execute(sql`analyze usage`));
  await addUsage(first, 0, USAGE_PART_ROWS + 1);
  const [short, ...days] = await statementsOf(() => listTokenUsage(userId));
  expect(days).toHaveLength(31);
  if (!short || !days[0]) throw new Error("Nothing was read.");
  for (const [statement, index] of [
    [short, "usage_user_id"],
    [days[0], "usage_unique"],
  ] as const) {
    const plan = await planOf(statement);
    expect(plan).toMatch(new RegExp(`Limit.*\\n *->  Index Scan using ${index} on usage`));
  }
});
