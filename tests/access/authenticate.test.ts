import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { findSession } from "#lib/access/sessions.ts";
import { findToken, revokeToken } from "#lib/access/tokens.ts";
import { deleteUser, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { addToken, addUser, CALLER, OPERATOR, signIn, tokenState } from "./people.ts";
import { planOf, type Statement, statementsOf } from "./statements.ts";

useDatabase();

describe("the actor of a request", () => {
  it("is found by a session in one query, by its unique index", async () => {
    const { secret } = await signIn(await addUser("ada"));
    const [statement, ...others] = await statementsOf(() => findSession(secret));
    expect(others).toEqual([]);
    expect(await planOf(statement as Statement)).toContain("sessions_secret_hash_unique");
  });

  it("is found by a token in one query, by its unique index", async () => {
    const { token } = await addToken((await signIn(await addUser("ada"))).actor);
    const [statement, ...others] = await statementsOf(() => findToken(token));
    expect(others).toEqual([]);
    expect(await planOf(statement as Statement)).toContain("tokens_secret_hash_unique");
  });

  it("is read for each request, so that a change of role or name applies at once", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    const { token } = await addToken(actor);
    const update = (changes: Parameters<typeof updateUser>[0]["changes"]) =>
      updateUser({ actor: OPERATOR, id: actor.user.id, changes, caller: CALLER });
    await update({ role: "admin", name: "Ada Lovelace" });
    expect((await findSession(secret))?.user).toMatchObject({ role: "admin", name: "Ada Lovelace" });
    expect(await findToken(token)).toMatchObject({ user: { role: "admin" } });
  });

  it("has no hash of a password or a secret", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    const { token } = await addToken(actor);
    const known = JSON.stringify([await findSession(secret), await findToken(token)]);
    expect(known).not.toMatch(/argon2|hash/i);
  });

  it("is nobody while the user is deactivated, even when a session is left over", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    await query((db) => db.update(users).set({ status: "deactivated" }).where(eq(users.id, actor.user.id)));
    expect(await findSession(secret)).toBeUndefined();
  });

  it("is nobody after the token is revoked or the user deleted", async () => {
    await addUser("root", "admin");
    const { secret, actor } = await signIn(await addUser("ada"));
    const [first, second] = [await addToken(actor), await addToken(actor)];
    await revokeToken({ actor, id: first.id, caller: CALLER });
    expect(await tokenState(first.token)).toBe("revoked");
    expect(await tokenState(second.token)).toBe("valid");
    await deleteUser({ actor: OPERATOR, id: actor.user.id, caller: CALLER });
    expect(await tokenState(second.token)).toBe("unknown");
    expect(await findSession(secret)).toBeUndefined();
  });
});
