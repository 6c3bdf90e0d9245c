import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { USAGE_WRITE_AFTER_MS } from "#lib/access/access-limits.ts";
import { revokeToken } from "#lib/access/tokens.ts";
import { flushUsage, recordRender, stopUsage } from "#lib/access/usage.ts";
import { deleteUser } from "#lib/access/users.ts";
import { query, transaction } from "#lib/db/database.ts";
import { tokens, usage } from "#lib/db/schema.ts";
import { captureLog } from "../captured-log.ts";
import { useDatabase } from "../database.ts";
import { useRelay } from "../db/relay.ts";
import { addToken, addUser, CALLER, OPERATOR, signIn } from "./people.ts";

const PENDING = 20;

/** For how long a stop tries to write. Long, because the machine may be busy. */
const stop = vi.hoisted(() => ({ ms: 60_000 }));

vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return {
    ...limits,
    ARGON2: { ...limits.ARGON2, memoryCost: 64 },
    USAGE_PENDING: 20,
    get USAGE_STOP_MS() {
      return stop.ms;
    },
    USAGE_STOP_PAUSE_MS: 10,
  };
});

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

  it("are written by themselves, soon enough for a server that is killed to lose less than a second", async () => {
    const { actor } = await signIn(await addUser("ada"));
    for (const renders of [1, 2]) {
      recordRender({ actor, template: "a" });
      await expect.poll(counted).toMatchObject([{ renders }]);
    }
    expect(USAGE_WRITE_AFTER_MS).toBeLessThan(1_000);
  });

  it("of users and tokens that were deleted meanwhile are dropped, and no others", async () => {
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

  it("that cannot be written are written later, with one log line for each outage", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    let recorded = 0;
    const record = () => {
      recorded++;
      recordRender({ actor, template: "a" });
    };
    for (let outage = 1; outage <= 2; outage++) {
      await query((db) => db.execute(sql`alter table usage rename to usage_away`));
      try {
        for (let i = 0; i < 3; i++) {
          for (let renders = 0; renders < 3; renders++) record();
          const flushing = flushUsage();
          // The write has taken its counts by then.
          await Promise.resolve();
          record();
          await flushing;
        }
      } finally {
        await query((db) => db.execute(sql`alter table usage_away rename to usage`));
      }
      await flushUsage();
      expect(lines).toHaveLength(outage);
      expect(await counted()).toMatchObject([{ renders: recorded }]);
    }
  });

  it.each([
    ["the answer to a commit", "cutAfter"],
    ["a commit", "cutBefore"],
  ] as const)("are counted once when %s is lost, and the next ones too", async (_, cut) => {
    const { actor } = await signIn(await addUser("ada"));
    const { relay, remove } = await useRelay();
    onTestFinished(remove);
    captureLog();
    for (const renders of [1, 2]) {
      recordRender({ actor, template: "a" });
      relay[cut]("commit\0");
      await flushUsage();
      const afterFlush = async () => {
        await flushUsage();
        return await counted();
      };
      await expect.poll(afterFlush).toMatchObject([{ renders }]);
      expect(await afterFlush()).toMatchObject([{ renders }]);
    }
  });

  it("are written by a server that stops while the database is away for a moment", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    await query((db) => db.execute(sql`alter table usage rename to usage_away`));
    recordRender({ actor, template: "a" });
    const stopping = stopUsage();
    await expect.poll(() => lines.join("")).toContain("Usage cannot be written");
    await query((db) => db.execute(sql`alter table usage_away rename to usage`));
    await stopping;
    expect(await counted()).toMatchObject([{ renders: 1 }]);
  });

  it("that a server could not write before its stop are told in the log", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    await query((db) => db.execute(sql`alter table usage rename to usage_away`));
    onTestFinished(async () => {
      stop.ms = 60_000;
      await query((db) => db.execute(sql`alter table usage_away rename to usage`));
    });
    stop.ms = 0;
    for (const template of ["a", "a", "b"]) recordRender({ actor, template });
    await stopUsage();
    expect(JSON.parse(lines.at(-1) ?? "{}")).toMatchObject({
      level: "warn",
      renders: 3,
      msg: "Usage could not be written before the stop. These renders are not counted.",
    });
  });

  it("are written before a later flush ends, even when an earlier flush took them", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = transaction(async (tx) => {
      await tx.execute(sql`lock table usage in exclusive mode`);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    recordRender({ actor, template: "a" });
    void flushUsage();
    let hasEnded = false;
    const later = flushUsage().then(() => {
      hasEnded = true;
    });
    await setImmediate();
    expect(hasEnded).toBe(false);
    released.resolve();
    await Promise.all([lock, later]);
    expect(await counted()).toMatchObject([{ renders: 1 }]);
  });

  it("are held in a bounded number of counts until they are written", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const lines = captureLog();
    for (let i = 0; i < PENDING + 5; i++) recordRender({ actor, template: `template-${i}` });
    expect(lines).toHaveLength(1);
    await flushUsage();
    expect(await counted()).toHaveLength(PENDING);
  });

  it("are all counted while users are deleted", async () => {
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
