import { describe, expect, it } from "vitest";
import { changePassword, updateAccount } from "#lib/access/account.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { deleteUser, updateUser } from "#lib/access/users.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, expectRefusal, OPERATOR, outcomes, PASSWORD, signIn } from "./people.ts";

useDatabase();

const NEW_PASSWORD = "a new password of mine";
const actsRecorded = async () => (await listAuditEvents({ limit: 100 })).map((event) => event.act);

describe("changing one's account", () => {
  it("changes name and email, and nothing else whatever is asked for", async () => {
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

  it("to what it is already changes and records nothing", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const { name, email } = actor.user;
    expect(await updateAccount({ actor, changes: { name, email }, caller: CALLER })).toEqual(actor.user);
    expect(await actsRecorded()).not.toContain("account.updated");
  });

  it("cannot take another's email", async () => {
    const { actor } = await signIn(await addUser("ada"));
    const { email } = await addUser("bob");
    await expectRefusal(updateAccount({ actor, changes: { email }, caller: CALLER }), "email_taken");
  });
});

describe("changing one's password", () => {
  const change = (actor: Parameters<typeof changePassword>[0]["actor"], currentPassword = PASSWORD) =>
    changePassword({ actor, currentPassword, newPassword: NEW_PASSWORD, caller: CALLER });

  it("ends every other session, and gives this one another secret", async () => {
    const ada = await addUser("ada");
    const [here, there] = [await signIn(ada), await signIn(ada)];
    const { secret } = await change(here.actor);
    expect(await findSession(here.secret)).toBeUndefined();
    expect(await findSession(there.secret)).toBeUndefined();
    expect(await findSession(secret)).toMatchObject({ sessionId: here.actor.sessionId });
    await expectRefusal(logIn({ email: ada.email, password: PASSWORD, caller: CALLER }), "unauthorized");
    await logIn({ email: ada.email, password: NEW_PASSWORD, caller: CALLER });
    expect(await actsRecorded()).toContain("password.changed");
  });

  it("needs the current one, and changes nothing without", async () => {
    const { actor, secret } = await signIn(await addUser("ada"));
    await expectRefusal(change(actor, "not the right password"), "wrong_password");
    expect(await findSession(secret)).toBeDefined();
    expect((await actsRecorded())[0]).toBe("password.failed");
  });

  it("happens once when it is asked for in two sessions at the same moment", async () => {
    const ada = await addUser("ada");
    const [here, there] = [await signIn(ada), await signIn(ada)];
    const { done, refused } = await outcomes([change(here.actor), change(there.actor)]);
    expect(done).toBe(1);
    expect(refused).toEqual(["wrong_password"]);
  });

  it("costs no attempt when the current one is right", async () => {
    const ada = await addUser("ada");
    const { actor } = await signIn(ada);
    for (let i = 0; i < 15; i++)
      await changePassword({ actor, currentPassword: PASSWORD, newPassword: PASSWORD, caller: CALLER });
  });
});

it("refuses whoever was deactivated or deleted since the request began", async () => {
  await addUser("root", "admin");
  const [ada, bob] = [(await signIn(await addUser("ada"))).actor, (await signIn(await addUser("bob"))).actor];
  await updateUser({ actor: OPERATOR, id: ada.user.id, changes: { status: "deactivated" }, caller: CALLER });
  await deleteUser({ actor: OPERATOR, id: bob.user.id, caller: CALLER });
  for (const actor of [ada, bob]) {
    await expectRefusal(updateAccount({ actor, changes: { name: "X" }, caller: CALLER }), "unauthorized");
    const change = { actor, currentPassword: PASSWORD, newPassword: NEW_PASSWORD, caller: CALLER };
    await expectRefusal(changePassword(change), "unauthorized");
  }
});
