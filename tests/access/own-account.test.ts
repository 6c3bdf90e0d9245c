import { describe, expect, it } from "vitest";
import { ACCOUNT_CHANGES_PER_USER } from "#lib/access/access-limits.ts";
import { changePassword, updateAccount } from "#lib/access/account.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, expectRefusal, fillBuckets, outcomes, PASSWORD, signIn } from "./people.ts";

useDatabase();

const NEW_PASSWORD = "a new password of mine";
const actsRecorded = async () => (await listAuditEvents({ limit: 100 })).map((event) => event.act);

describe("changing one's account", () => {
  it("changes name and email, and no other value", async () => {
    const { actor, secret } = await signIn(await addUser("ada"));
    const changes = {
      name: "Ada Lovelace",
      email: "lovelace@example.com",
      role: "admin",
      id: "1",
      status: "deactivated",
    };
    const changed = await updateAccount({ actor, changes, caller: CALLER });
    const { name, email } = changes;
    expect(changed).toEqual({ ...actor.user, name, email, updatedAt: expect.any(Date) });
    expect((await findSession(secret))?.user).toEqual(changed);
  });

  it("to the same values changes and records nothing", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const { name, email } = actor.user;
    expect(await updateAccount({ actor, changes: { name, email }, caller: CALLER })).toEqual(actor.user);
    expect(await updateAccount({ actor, changes: { name }, caller: CALLER })).toEqual(actor.user);
    expect(await actsRecorded()).not.toContain("account.updated");
  });

  it("cannot take another user's email", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const { email } = await addUser("bob");
    await expectRefusal(updateAccount({ actor, changes: { email }, caller: CALLER }), "email_taken");
  });

  it("is limited, because each change is a row of the audit trail", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const change = (name: string) => updateAccount({ actor, changes: { name }, caller: CALLER });
    await change("Ada L.");
    await fillBuckets(ACCOUNT_CHANGES_PER_USER);
    await expectRefusal(change("Ada"), "rate_limited");
    const other = await signIn(await addUser("bob"));
    await expect(
      updateAccount({ actor: other.actor, changes: { name: "Bob" }, caller: CALLER }),
    ).resolves.toBeDefined();
  });
});

describe("changing one's password", () => {
  const change = (actor: Parameters<typeof changePassword>[0]["actor"], currentPassword = PASSWORD) =>
    changePassword({ actor, currentPassword, newPassword: NEW_PASSWORD, caller: CALLER });

  it("is limited as other changes are, with the right password too", async () => {
    const { actor } = await signIn(await addUser("ada"));
    await updateAccount({ actor, changes: { name: "Ada L." }, caller: CALLER });
    await fillBuckets(ACCOUNT_CHANGES_PER_USER);
    await expectRefusal(change(actor), "rate_limited");
    expect(await actsRecorded()).not.toContain("password.changed");
  });

  it("ends every other session, and gives this one a new secret", async () => {
    const ada = await addUser("ada");
    const [here, there] = [await signIn(ada), await signIn(ada)];
    const { secret } = await change(here.actor);
    expect(await findSession(here.secret)).toBeUndefined();
    expect(await findSession(there.secret)).toBeUndefined();
    const renewed = await findSession(secret);
    expect(renewed).toMatchObject({ sessionId: here.actor.sessionId });
    expect(Number(renewed?.user.updatedAt)).toBeGreaterThan(Number(ada.updatedAt));
    const [row] = await query((db) => db.select().from(sessions));
    expect(Number(row?.expiresAt) - Number(row?.lastSeenAt)).toBe(30 * 24 * 3_600_000);
    expect(Number(row?.lastSeenAt)).toBeGreaterThan(Number(row?.createdAt));
    await expectRefusal(logIn({ email: ada.email, password: PASSWORD, caller: CALLER }), "unauthorized");
    await logIn({ email: ada.email, password: NEW_PASSWORD, caller: CALLER });
    expect(await actsRecorded()).toContain("password.changed");
  });

  it("needs the current password, and changes nothing without it", async () => {
    const { actor, secret } = await signIn(await addUser("ada"));
    await expectRefusal(change(actor, "not the right password"), "wrong_password");
    expect(await findSession(secret)).toBeDefined();
    expect((await actsRecorded())[0]).toBe("password.failed");
  });

  it("succeeds once when two sessions ask for it at the same moment", async () => {
    const ada = await addUser("ada");
    const [here, there] = [await signIn(ada), await signIn(ada)];
    const { done, refused } = await outcomes([change(here.actor), change(there.actor)]);
    expect(done).toBe(1);
    expect(refused).toEqual(["wrong_password"]);
  });

  it("is given up when the client disconnects before its turn", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const given = changePassword({ actor, ...passwords, caller: CALLER, signal: AbortSignal.abort() });
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
    await logIn({ email: actor.user.email, password: PASSWORD, caller: CALLER });
  });

  it("gives the attempt back when the current password is right", async () => {
    const ada = await addUser("ada");
    const { actor } = await signIn(ada);
    for (let i = 0; i < 15; i++)
      await changePassword({ actor, currentPassword: PASSWORD, newPassword: PASSWORD, caller: CALLER });
  });
});
