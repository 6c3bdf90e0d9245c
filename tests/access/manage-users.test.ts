import { describe, expect, it } from "vitest";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { createUser, deleteUser, listTokensOf, setPassword, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, expectRefusal, listUsers, NOBODY, OPERATOR, outcomes, PASSWORD, signIn } from "./people.ts";

useDatabase();

const act = (id: string) => ({ actor: OPERATOR, id, caller: CALLER });
const actsRecorded = async () => (await listAuditEvents({ limit: 1_000 })).map((event) => event.act);

describe("creating a user", () => {
  it("creates an active user without rights by default", async () => {
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

  it("succeeds once when twenty requests ask for the same email", async () => {
    const { done, refused } = await outcomes(Array.from({ length: 20 }, () => addUser("ada")));
    expect(done).toBe(1);
    expect(refused).toEqual(Array(19).fill("email_taken"));
    expect(await actsRecorded()).toEqual(["user.created"]);
  });
});

describe("changing a user", () => {
  it("changes the given values, updates the time, and records the values", async () => {
    const ada = await addUser("ada");
    const changes = { email: "lovelace@example.com", role: "admin" } as const;
    const changed = await updateUser({ ...act(ada.id), changes });
    expect(changed).toEqual({ ...ada, ...changes, updatedAt: expect.any(Date) });
    expect(changed.updatedAt.getTime()).toBeGreaterThan(ada.updatedAt.getTime());
    const [event] = await listAuditEvents({ limit: 1 });
    expect(event).toMatchObject({ act: "user.updated", actorName: "operator", targetName: ada.email, detail: changes });
  });

  it("to the same values changes and records nothing", async () => {
    const ada = await addUser("ada");
    const { email, name, role, status } = ada;
    expect(await updateUser({ ...act(ada.id), changes: { email, name, role, status } })).toEqual(ada);
    expect(await updateUser({ ...act(ada.id), changes: { name } })).toEqual(ada);
    expect(await listUsers()).toEqual([ada]);
    expect(await actsRecorded()).toEqual(["user.created"]);
  });

  it("records only the values that differ", async () => {
    const ada = await addUser("ada");
    await updateUser({ ...act(ada.id), changes: { name: ada.name, role: "admin" } });
    expect((await listAuditEvents({ limit: 1 }))[0]?.detail).toEqual({ role: "admin" });
  });

  it("cannot take another user's email, even when both ask at once", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    await expectRefusal(updateUser({ ...act(bob.id), changes: { email: ada.email } }), "email_taken");
    const wanted = { email: "both@example.com" };
    const both = [ada, bob].map(({ id }) => updateUser({ ...act(id), changes: wanted }));
    expect(await outcomes(both)).toEqual({ done: 1, refused: ["email_taken"] });
  });

  it("that does not exist is not found, also with an id that is no UUID", async () => {
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

  it("ends when the user is deactivated, and stays ended after reactivation", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const [first, second, other] = [await signIn(ada), await signIn(ada), await signIn(bob)];
    await updateUser({ ...act(ada.id), changes: { status: "deactivated" } });
    expect(await livesOf(first.secret, second.secret, other.secret)).toEqual([false, false, true]);
    await updateUser({ ...act(ada.id), changes: { status: "active" } });
    expect(await livesOf(first.secret, second.secret)).toEqual([false, false]);
  });

  it("ends when an administrator sets a password, and only that password signs in", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    const password = "set by an administrator";
    await setPassword({ ...act(ada.id), password });
    const [changed] = await listUsers();
    expect(Number(changed?.updatedAt)).toBeGreaterThan(Number(ada.updatedAt));
    expect((await actsRecorded())[0]).toBe("password.set");
    expect(await livesOf(secret)).toEqual([false]);
    await expectRefusal(logIn({ email: ada.email, password: PASSWORD, caller: CALLER }), "unauthorized");
    await logIn({ email: ada.email, password, caller: CALLER });
    expect(JSON.stringify(await listAuditEvents({ limit: 100 }))).not.toContain(password);
  });

  it("ends when the user is deleted, and the audit trail stays", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    await deleteUser(act(ada.id));
    expect(await livesOf(secret)).toEqual([false]);
    expect(await query((db) => db.$count(sessions))).toBe(0);
    expect((await listAuditEvents({ limit: 1 }))[0]).toMatchObject({ act: "user.deleted", targetName: ada.email });
  });

  it("continues after a change of name, email or role", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    await updateUser({ ...act(ada.id), changes: { name: "A", email: "a@example.com", role: "admin" } });
    expect(await livesOf(secret)).toEqual([true]);
  });
});

describe("an administrator", () => {
  type Act = Parameters<typeof deleteUser>[0];

  it.each<[string, (self: Act) => Promise<unknown>]>([
    ["demote", (self) => updateUser({ ...self, changes: { role: "user" } })],
    ["deactivate", (self) => updateUser({ ...self, changes: { status: "deactivated" } })],
    ["set the password of", (self) => setPassword({ ...self, password: "set by themselves, for once" })],
    ["delete", (self) => deleteUser(self)],
  ])("can %s themselves while there is another one", async (_, change) => {
    await addUser("root", "admin");
    const { actor } = await signIn(await addUser("ada", "admin"));
    const before = (await actsRecorded()).length;
    await change({ actor, id: actor.user.id, caller: CALLER });
    expect(await actsRecorded()).toHaveLength(before + 1);
  });

  it("can demote themselves, and list their tokens after that, by their id in upper case", async () => {
    await addUser("root", "admin");
    const { actor } = await signIn(await addUser("ada", "admin"));
    const id = actor.user.id.toUpperCase();
    const user = await updateUser({ actor, id, changes: { role: "user" }, caller: CALLER });
    expect(await listTokensOf({ actor: { ...actor, user }, id })).toEqual([]);
  });

  it("makes a user without a role no administrator", async () => {
    const user = { email: "ada@example.com", name: "Ada", password: PASSWORD };
    expect((await createUser({ actor: OPERATOR, user, caller: CALLER })).role).toBe("user");
  });

  it("hashes no password for a client that has disconnected", async () => {
    const ada = await addUser("ada");
    const signal = AbortSignal.abort();
    const user = { email: "bob@example.com", name: "Bob", password: PASSWORD };
    await expect(createUser({ actor: OPERATOR, user, caller: CALLER, signal })).rejects.toThrow("aborted");
    await expect(setPassword({ ...act(ada.id), password: `${PASSWORD}!`, signal })).rejects.toThrow("aborted");
    expect(await listUsers()).toEqual([ada]);
  });
});

describe("an administrator with a running request", () => {
  it.each([
    ["demoted", (id: string) => updateUser({ ...act(id), changes: { role: "user" } }), "forbidden"],
    ["deactivated", (id: string) => updateUser({ ...act(id), changes: { status: "deactivated" } }), "unauthorized"],
    ["deleted", (id: string) => deleteUser(act(id)), "unauthorized"],
  ] as const)("who is %s meanwhile changes nothing more, and cannot undo it", async (_, end, code) => {
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

it("answers every concurrent change of one user without an internal error", async () => {
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
