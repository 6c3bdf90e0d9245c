import { describe, expect, it } from "vitest";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { createUser, deleteUser, setPassword, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, expectRefusal, listUsers, NOBODY, OPERATOR, outcomes, PASSWORD, signIn } from "./people.ts";

useDatabase();

const act = (id: string) => ({ actor: OPERATOR, id, caller: CALLER });
const actsRecorded = async () => (await listAuditEvents({ limit: 1_000 })).map((event) => event.act);

describe("creating a user", () => {
  it("makes an active one without rights unless told otherwise", async () => {
    const ada = await addUser("ada");
    const at = expect.any(Date);
    expect(ada).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: "ada@example.com",
      name: "ada",
      role: "user",
      status: "active",
      createdAt: at,
      updatedAt: at,
      lastLoginAt: null,
    });
    expect(await listUsers()).toEqual([ada]);
  });

  it("has one winner when the same email is wanted twenty times at once", async () => {
    const { done, refused } = await outcomes(Array.from({ length: 20 }, () => addUser("ada")));
    expect(done).toBe(1);
    expect(refused).toEqual(Array(19).fill("email_taken"));
    expect(await actsRecorded()).toEqual(["user.created"]);
  });
});

describe("changing a user", () => {
  it("changes what is named, says when, and records what was set", async () => {
    const ada = await addUser("ada");
    const changes = { email: "lovelace@example.com", role: "admin" } as const;
    const changed = await updateUser({ ...act(ada.id), changes });
    expect(changed).toEqual({ ...ada, ...changes, updatedAt: expect.any(Date) });
    expect(changed.updatedAt.getTime()).toBeGreaterThan(ada.updatedAt.getTime());
    const [event] = await listAuditEvents({ limit: 1 });
    expect(event).toMatchObject({ act: "user.updated", actorName: "operator", targetName: ada.email, detail: changes });
  });

  it("to what it is already changes and records nothing", async () => {
    const ada = await addUser("ada");
    const { email, name, role, status } = ada;
    expect(await updateUser({ ...act(ada.id), changes: { email, name, role, status } })).toEqual(ada);
    expect(await listUsers()).toEqual([ada]);
    expect(await actsRecorded()).toEqual(["user.created"]);
  });

  it("cannot take another's email, not even when both ask at once", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    await expectRefusal(updateUser({ ...act(bob.id), changes: { email: ada.email } }), "email_taken");
    const wanted = { email: "both@example.com" };
    const both = [ada, bob].map(({ id }) => updateUser({ ...act(id), changes: wanted }));
    expect(await outcomes(both)).toEqual({ done: 1, refused: ["email_taken"] });
  });

  it("that does not exist is not found, whatever its id looks like", async () => {
    for (const id of [NOBODY, "", "1", "' or true --", "x".repeat(10_000), "\0"]) {
      await expectRefusal(updateUser({ ...act(id), changes: { name: "X" } }), "not_found");
      await expectRefusal(deleteUser(act(id)), "not_found");
      await expectRefusal(setPassword({ ...act(id), password: PASSWORD }), "not_found");
    }
    expect(await actsRecorded()).toEqual([]);
  });
});

describe("every session of a user", () => {
  const livesOf = async (...secrets: string[]) =>
    (await Promise.all(secrets.map(findSession))).map((found) => found !== undefined);

  it("ends with their deactivation, and does not come back with reactivation", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const [first, second, other] = [await signIn(ada), await signIn(ada), await signIn(bob)];
    await updateUser({ ...act(ada.id), changes: { status: "deactivated" } });
    expect(await livesOf(first.secret, second.secret, other.secret)).toEqual([false, false, true]);
    await updateUser({ ...act(ada.id), changes: { status: "active" } });
    expect(await livesOf(first.secret, second.secret)).toEqual([false, false]);
  });

  it("ends with a password that is set for them, and only the new one signs in", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    const password = "set by an administrator";
    await setPassword({ ...act(ada.id), password });
    expect(await livesOf(secret)).toEqual([false]);
    await expectRefusal(logIn({ email: ada.email, password: PASSWORD, caller: CALLER }), "unauthorized");
    await logIn({ email: ada.email, password, caller: CALLER });
    expect(JSON.stringify(await listAuditEvents({ limit: 100 }))).not.toContain(password);
  });

  it("ends with their deletion, which the trail outlives", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    await deleteUser(act(ada.id));
    expect(await livesOf(secret)).toEqual([false]);
    expect(await query((db) => db.$count(sessions))).toBe(0);
    expect((await listAuditEvents({ limit: 1 }))[0]).toMatchObject({ act: "user.deleted", targetName: ada.email });
  });

  it("survives a change of name, email or role", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    await updateUser({ ...act(ada.id), changes: { name: "A", email: "a@example.com", role: "admin" } });
    expect(await livesOf(secret)).toEqual([true]);
  });
});

describe("an administrator whose request is under way", () => {
  it.each([
    ["demoted", (id: string) => updateUser({ ...act(id), changes: { role: "user" } }), "forbidden"],
    ["deactivated", (id: string) => updateUser({ ...act(id), changes: { status: "deactivated" } }), "unauthorized"],
    ["deleted", (id: string) => deleteUser(act(id)), "unauthorized"],
  ] as const)("and who is %s changes nothing any more, least of all that", async (_, end, code) => {
    await addUser("root", "admin");
    const { actor } = await signIn(await addUser("ada", "admin"));
    const bob = await addUser("bob");
    await end(actor.user.id);
    const before = [await listUsers(), await actsRecorded()] as const;
    for (const { id } of before[0].filter(({ id }) => id === actor.user.id || id === bob.id)) {
      const late = { actor, id, caller: CALLER };
      await expectRefusal(updateUser({ ...late, changes: { role: "admin", status: "active" } }), code);
      await expectRefusal(setPassword({ ...late, password: PASSWORD }), code);
      await expectRefusal(deleteUser(late), code);
    }
    const user = { email: "eve@example.com", name: "Eve", password: PASSWORD, role: "admin" } as const;
    await expectRefusal(createUser({ actor, user, caller: CALLER }), code);
    expect([await listUsers(), await actsRecorded()]).toEqual(before);
  });
});

it("answers everything that happens to one user at once, without a fault of ours", async () => {
  await addUser("root", "admin");
  const known = new Set(["not_found", "unauthorized", "last_admin", "email_taken"]);
  for (let round = 0; round < 10; round++) {
    const ada = await addUser(`ada-${round}`, "admin");
    const { secret } = await signIn(ada);
    const [first, second] = [await signIn(ada), await signIn(ada)];
    const { createToken } = await import("#lib/access/tokens.ts");
    const { changePassword, updateAccount } = await import("#lib/access/account.ts");
    const { logOut } = await import("#lib/access/login.ts");
    const { actor } = first;
    const { refused } = await outcomes([
      createToken({ actor, name: "Race", caller: CALLER }),
      updateAccount({ actor, changes: { name: "Race" }, caller: CALLER }),
      changePassword({ actor, currentPassword: PASSWORD, newPassword: `${PASSWORD}!`, caller: CALLER }),
      logIn({ email: ada.email, password: PASSWORD, presented: second.secret, caller: CALLER }),
      logOut({ presented: secret, caller: CALLER }),
      updateUser({ ...act(ada.id), changes: { status: "deactivated" } }),
      setPassword({ ...act(ada.id), password: "another one entirely" }),
      deleteUser(act(ada.id)),
      createToken({ actor, name: "Race", caller: CALLER }),
    ]);
    expect(refused.filter((code) => !known.has(String(code)) && code !== "wrong_password")).toEqual([]);
  }
});
