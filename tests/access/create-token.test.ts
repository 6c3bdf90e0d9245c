import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { isTokenSecret } from "#lib/access/secrets.ts";
import { createToken, findToken, listTokens, noteTokenUse, revokeToken } from "#lib/access/tokens.ts";
import { listTokensOf, updateUser } from "#lib/access/users.ts";
import { query, transaction } from "#lib/db/database.ts";
import { tokens } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addToken, addUser, CALLER, expectRefusal, NOBODY, OPERATOR, outcomes, signIn, tokenState } from "./people.ts";
import { statementsOf } from "./statements.ts";

useDatabase();

const signedIn = async (name: string, role: "user" | "admin" = "user") =>
  (await signIn(await addUser(name, role))).actor;

describe("a token", () => {
  it("has a secret that is returned once and not stored", async () => {
    const actor = await signedIn("ada");
    const created = await createToken({ actor, name: "Deploys", caller: CALLER });
    expect(created.token).toMatch(/^svc_[0-9A-Za-z]{36}$/);
    expect(created).toMatchObject({ name: "Deploys", tokenPrefix: created.token.slice(0, 12), lastUsedAt: null });
    const { token: _, ...listed } = created;
    expect(await listTokens(actor.user.id)).toEqual([listed]);
    const rows = await query((db) =>
      db.execute(sql`select tokens::text, audit_events::text from tokens, audit_events`),
    );
    for (const form of [created.token, Buffer.from(created.token).toString("hex"), created.token.slice(13)])
      expect(JSON.stringify(rows)).not.toContain(form);
  });

  it("is found by its secret only, not by its hash, its prefix or another case", async () => {
    const { token } = await addToken(await signedIn("ada"));
    const [row] = await query((db) => db.select().from(tokens));
    const hash = row?.secretHash ?? Buffer.alloc(0);
    for (const text of [hash.toString("hex"), `svc_${hash.toString("hex")}`, token.slice(0, 12), token.toLowerCase()])
      expect(await tokenState(text), text).toBe("malformed");
  });

  it("is refused without a query when any one character is mistyped", async () => {
    const { token } = await addToken(await signedIn("ada"));
    for (let i = 0; i < token.length; i++) {
      const wrong = token.slice(0, i) + (token[i] === "x" ? "y" : "x") + token.slice(i + 1);
      expect(await statementsOf(() => findToken(wrong)), wrong).toEqual([]);
      expect(await tokenState(wrong)).toBe("malformed");
    }
    expect(isTokenSecret(token)).toBe(true);
    expect(await statementsOf(() => findToken(token))).toHaveLength(1);
  });

  it("is listed for its owner only, the newest first, including revoked ones", async () => {
    const [ada, bob] = [await signedIn("ada"), await signedIn("bob")];
    const made = [await addToken(ada), await addToken(ada), await addToken(ada)];
    await addToken(bob);
    await revokeToken({ actor: ada, id: made[1]?.id ?? "", caller: CALLER });
    const listed = await listTokens(ada.user.id);
    expect(listed.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
    expect(listed.map(({ revokedAt }) => revokedAt !== null)).toEqual([false, true, false]);
  });

  it("can be created a hundred times an hour", async () => {
    const actor = await signedIn("ada");
    const acts = Array.from({ length: 110 }, () => createToken({ actor, name: "Loop", caller: CALLER }));
    const { done, refused } = await outcomes(acts);
    expect(done).toBe(100);
    expect(new Set(refused)).toEqual(new Set(["rate_limited"]));
  });
});

describe("revoking", () => {
  it("is possible for the owner and for administrators; for others the token does not exist", async () => {
    const [ada, bob, root] = [await signedIn("ada"), await signedIn("bob"), await signedIn("root", "admin")];
    const [own, other] = [await addToken(ada), await addToken(ada)];
    const foreign = await revokeToken({ actor: bob, id: own.id, caller: CALLER }).catch((error: unknown) => error);
    const absent = await revokeToken({ actor: bob, id: NOBODY, caller: CALLER }).catch((error: unknown) => error);
    expect(foreign).toEqual(absent);
    expect(foreign).toMatchObject({ code: "not_found" });
    for (const id of ["", "1", "' or true --", "x".repeat(10_000), `${own.id}\0`])
      await expectRefusal(revokeToken({ actor: root, id, caller: CALLER }), "not_found");
    expect(await tokenState(own.token)).toBe("valid");
    await revokeToken({ actor: ada, id: own.id, caller: CALLER });
    await revokeToken({ actor: root, id: other.id, caller: CALLER });
    expect(await tokenState(own.token)).toBe("revoked");
    expect(await tokenState(other.token)).toBe("revoked");
  });

  it("cannot be undone, and is recorded once", async () => {
    const ada = await signedIn("ada");
    const { id } = await addToken(ada);
    await Promise.all([1, 2, 3].map(() => revokeToken({ actor: ada, id, caller: CALLER })));
    const [revoked] = await listTokens(ada.user.id);
    await revokeToken({ actor: ada, id, caller: CALLER });
    expect(await listTokens(ada.user.id)).toEqual([revoked]);
    const acts = (await listAuditEvents({ limit: 100 })).map(({ act }) => act);
    expect(acts.filter((act) => act === "token.revoked")).toHaveLength(1);
    await expect(query((db) => db.update(tokens).set({ revokedAt: null }))).rejects.toThrow();
  });

  it("is recorded with who did it to which token", async () => {
    const [ada, root] = [await signedIn("ada"), await signedIn("root", "admin")];
    const { id } = await addToken(ada);
    await revokeToken({ actor: root, id, caller: CALLER });
    const [revoked, created] = await listAuditEvents({ limit: 2 });
    const target = { targetType: "token", targetId: id, targetName: "Deploys" };
    expect(revoked).toMatchObject({
      act: "token.revoked",
      actorId: root.user.id,
      actorName: root.user.email,
      ...target,
    });
    expect(created).toMatchObject({ act: "token.created", actorId: ada.user.id, ...target });
  });

  it("lasts when the user is deactivated and reactivated, which revives the other tokens", async () => {
    const ada = await signedIn("ada");
    const [revoked, kept] = [await addToken(ada), await addToken(ada)];
    await revokeToken({ actor: ada, id: revoked.id, caller: CALLER });
    const setStatus = (status: "active" | "deactivated") =>
      updateUser({ actor: OPERATOR, id: ada.user.id, changes: { status }, caller: CALLER });
    await setStatus("deactivated");
    expect(await tokenState(kept.token)).toBe("unknown");
    await setStatus("active");
    expect(await tokenState(kept.token)).toBe("valid");
    expect(await tokenState(revoked.token)).toBe("revoked");
  });
});

describe("the last use of a token", () => {
  it("is stored after a render, and again only half a minute later", async () => {
    const ada = await signedIn("ada");
    const { actor, token } = await addToken(ada);
    const lastUsedAt = async () => (await listTokens(ada.user.id))[0]?.lastUsedAt;
    await findToken(token);
    expect(await lastUsedAt()).toBeNull();
    await noteTokenUse(actor);
    const first = await lastUsedAt();
    expect(first).toBeInstanceOf(Date);
    await noteTokenUse(actor);
    expect(await lastUsedAt()).toEqual(first);
    await query((db) => db.update(tokens).set({ lastUsedAt: sql`now() - interval '31 seconds'` }));
    await noteTokenUse(actor);
    expect(Number(await lastUsedAt())).toBeGreaterThanOrEqual(Number(first));
  });

  it("fails no render and delays none when it cannot be stored", async () => {
    const { actor } = await addToken(await signedIn("ada"));
    await transaction(async (tx) => {
      await tx.select().from(tokens).for("update");
      await noteTokenUse(actor);
    });
    await noteTokenUse({ ...actor, tokenId: "not an id" });
    await noteTokenUse({ ...actor, tokenId: NOBODY });
  });
});

it("lists other users' tokens for administrators, and reveals no user to others", async () => {
  const [ada, bob, root] = [await signedIn("ada"), await signedIn("bob"), await signedIn("root", "admin")];
  const { id } = await addToken(ada);
  for (const actor of [ada, root, OPERATOR])
    expect(await listTokensOf({ actor, id: ada.user.id })).toMatchObject([{ id }]);
  for (const wanted of [ada.user.id, NOBODY, "1"])
    await expectRefusal(listTokensOf({ actor: bob, id: wanted }), "not_found");
  await expectRefusal(listTokensOf({ actor: root, id: NOBODY }), "not_found");
});
