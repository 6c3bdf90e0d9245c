import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { revokeToken } from "#lib/access/tokens.ts";
import { flushUsage, recordRender, stopUsage } from "#lib/access/usage.ts";
import { query } from "#lib/db/database.ts";
import { addToken, addUser, CALLER, NOBODY, signIn } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { send } from "../client.ts";

useDatabase();
afterEach(stopUsage);

type Usage = { tokenId: string; days: { day: string; renders: number }[]; total: number };

const usageOf = async (session: string, path = "tokens/usage"): Promise<Usage[]> =>
  (await send("GET", path, { session })).json();

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function count(userId: string, tokenId: string | null, renders: Record<number, number>): Promise<void> {
  for (const [days, number] of Object.entries(renders))
    await query((db) =>
      db.execute(sql`insert into usage values (${dayBefore(Number(days))}, ${userId}, ${tokenId}, 'a', ${number})`),
    );
}

describe("the usage of one's tokens", () => {
  it("has each of the last 30 days, all templates together, oldest first", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    const { id, actor: program } = await addToken(actor);
    for (const template of ["a", "a", "b/c"]) recordRender({ actor: program, template });
    await flushUsage();
    await count(actor.user.id, id, { 1: 5, 29: 7, 30: 11, 100: 13 });
    const [usage, ...others] = await usageOf(secret);
    expect(others).toEqual([]);
    expect(usage?.tokenId).toBe(id);
    expect(usage?.days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, at) => dayBefore(29 - at)));
    expect(usage?.days.filter(({ renders }) => renders > 0)).toEqual([
      { day: dayBefore(29), renders: 7 },
      { day: dayBefore(1), renders: 5 },
      { day: dayBefore(0), renders: 3 },
    ]);
    expect(usage?.total).toBe(15);
  });

  it("leaves out renders by session, unused tokens and the tokens of others, and keeps revoked tokens", async () => {
    const [ada, bob] = [await signIn(await addUser("ada")), await signIn(await addUser("bob"))];
    const [used, _unused, bobs] = [await addToken(ada.actor), await addToken(ada.actor), await addToken(bob.actor)];
    await count(ada.actor.user.id, null, { 0: 100 });
    await count(ada.actor.user.id, used.id, { 0: 1 });
    await count(bob.actor.user.id, bobs.id, { 0: 2 });
    await revokeToken({ actor: ada.actor, id: used.id, caller: CALLER });
    expect((await usageOf(ada.secret)).map(({ tokenId, total }) => [tokenId, total])).toEqual([[used.id, 1]]);
  });

  it("is for that user and for administrators; others get the 404 of an unknown user", async () => {
    const [ada, bob] = [await signIn(await addUser("ada")), await signIn(await addUser("bob"))];
    const root = await signIn(await addUser("root", "admin"));
    const { id } = await addToken(ada.actor);
    await count(ada.actor.user.id, id, { 0: 1 });
    const path = `users/${ada.actor.user.id}/tokens/usage`;
    for (const { secret } of [ada, root]) expect((await usageOf(secret, path))[0]?.tokenId).toBe(id);
    const refusals = await Promise.all(
      [path, `users/${NOBODY}/tokens/usage`, "users/x/tokens/usage"].map(async (asked) => {
        const { requestId: _, ...error } = await errorOf(await send("GET", asked, { session: bob.secret }));
        return JSON.stringify(error);
      }),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain("not_found");
    expect((await errorOf(await send("GET", `users/${NOBODY}/tokens/usage`, { session: root.secret }))).code).toBe(
      "not_found",
    );
  });

  it("is not part of the token itself", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    await addToken(actor);
    const [token] = await (await send("GET", "tokens", { session: secret })).json();
    expect(Object.keys(token).toSorted()).toEqual([
      "createdAt",
      "id",
      "lastUsedAt",
      "name",
      "revokedAt",
      "tokenPrefix",
    ]);
  });
});
