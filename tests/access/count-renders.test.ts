import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { revokeToken } from "#lib/access/tokens.ts";
import { flushUsage, recordRender, stopUsage } from "#lib/access/usage.ts";
import { deleteUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { tokens, usage } from "#lib/db/schema.ts";
import { captureLog } from "../captured-log.ts";
import { useDatabase } from "../database.ts";
import { addToken, addUser, CALLER, OPERATOR, signIn } from "./people.ts";

useDatabase();
afterEach(stopUsage);

const counted = async () =>
  query((db) =>
    db
      .select({ userId: usage.userId, tokenId: usage.tokenId, template: usage.template, renders: usage.renders })
      .from(usage)
      .orderBy(usage.template, sql`token_id nulls first`),
  );

describe("renders", () => {
  it("are counted per caller and template, and added up over batches", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const { actor: program } = await addToken(actor);
    recordRender({ actor: { kind: "anonymous" }, template: "a" });
    for (let batch = 0; batch < 2; batch++) {
      for (let i = 0; i < 3; i++) recordRender({ actor, template: "a" });
      recordRender({ actor: program, template: "a" });
      recordRender({ actor: program, template: "b/c" });
      await flushUsage();
    }
    const userId = actor.user.id;
    expect(await counted()).toEqual([
      { userId, tokenId: null, template: "a", renders: 6 },
      { userId, tokenId: program.tokenId, template: "a", renders: 2 },
      { userId, tokenId: program.tokenId, template: "b/c", renders: 2 },
    ]);
    const [row] = await query((db) => db.select({ day: usage.day }).from(usage));
    expect(row?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("of users and tokens that are gone meanwhile are left out, and the others are not", async () => {
    const [ada, bob] = [(await signIn(await addUser("ada"))).actor, (await signIn(await addUser("bob"))).actor];
    const [gone, revoked] = [await addToken(bob), await addToken(bob)];
    for (const actor of [ada, bob, gone.actor, revoked.actor]) recordRender({ actor, template: "a" });
    await revokeToken({ actor: bob, id: revoked.id, caller: CALLER });
    await query((db) => db.delete(tokens).where(sql`id = ${gone.id}`));
    await deleteUser({ actor: OPERATOR, id: ada.user.id, caller: CALLER });
    await flushUsage();
    expect((await counted()).map(({ userId, tokenId }) => [userId, tokenId])).toEqual([
      [bob.user.id, null],
      [bob.user.id, revoked.id],
    ]);
  });

  it("that cannot be written are written later, and the log says so once", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    await query((db) => db.execute(sql`alter table usage rename to usage_away`));
    try {
      for (let i = 0; i < 3; i++) {
        recordRender({ actor, template: "a" });
        await flushUsage();
      }
    } finally {
      await query((db) => db.execute(sql`alter table usage_away rename to usage`));
    }
    expect(lines).toHaveLength(1);
    recordRender({ actor, template: "a" });
    await flushUsage();
    expect(await counted()).toMatchObject([{ renders: 4 }]);
  });

  it("are held in a bounded number of counts while the database is away", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    for (let i = 0; i < 10_100; i++) recordRender({ actor, template: `template-${i}` });
    expect(lines).toHaveLength(1);
    await flushUsage();
    expect(await counted()).toHaveLength(10_000);
  });

  it("are all counted by several writers at once, while users are deleted", async () => {
    const actors = [];
    for (let i = 0; i < 6; i++) actors.push((await signIn(await addUser(`user-${i}`))).actor);
    for (let round = 0; round < 30; round++) {
      for (const actor of actors.toSorted(() => (round % 2) - 0.5)) recordRender({ actor, template: `t-${round % 3}` });
      const deleting = round % 10 === 5 ? actors.pop() : undefined;
      await Promise.all([
        flushUsage(),
        deleting && deleteUser({ actor: OPERATOR, id: deleting.user.id, caller: CALLER }),
      ]);
    }
    const rows = await counted();
    for (const { user } of actors)
      expect(rows.filter(({ userId }) => userId === user.id).reduce((sum, { renders }) => sum + renders, 0)).toBe(30);
  });
});
