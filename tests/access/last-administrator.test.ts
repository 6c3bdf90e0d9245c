import { describe, expect, it } from "vitest";
import { deleteUser, updateUser } from "#lib/access/users.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, expectRefusal, listUsers, OPERATOR, outcomes, signIn } from "./people.ts";

useDatabase();

const activeAdministrators = async () =>
  (await listUsers()).filter(({ role, status }) => role === "admin" && status === "active");

describe("the last active administrator", () => {
  it("cannot be demoted, deactivated or deleted, by themselves or by the operator", async () => {
    const root = await addUser("root", "admin");
    await addUser("ada");
    const gone = await addUser("gone", "admin");
    await updateUser({ actor: OPERATOR, id: gone.id, changes: { status: "deactivated" }, caller: CALLER });
    const { actor: self } = await signIn(root);
    for (const actor of [self, OPERATOR]) {
      const act = { actor, id: root.id, caller: CALLER };
      await expectRefusal(updateUser({ ...act, changes: { role: "user" } }), "last_admin");
      await expectRefusal(updateUser({ ...act, changes: { status: "deactivated" } }), "last_admin");
      await expectRefusal(updateUser({ ...act, changes: { status: "deactivated", role: "user" } }), "last_admin");
      await expectRefusal(deleteUser(act), "last_admin");
    }
    expect(await activeAdministrators()).toHaveLength(1);
    await updateUser({ actor: self, id: root.id, changes: { name: "Still here" }, caller: CALLER });
  });

  it("stays when two administrators demote or deactivate each other at the same moment", async () => {
    const [a, b] = [await addUser("a", "admin"), await addUser("b", "admin")];
    const ends = [{ role: "user" }, { status: "deactivated" }] as const;
    for (let i = 0; i < 25; i++) {
      // A deactivation ends the session, so that each round has new ones.
      const [alice, bob] = [(await signIn(a)).actor, (await signIn(b)).actor];
      const changes = ends[i % 2] ?? {};
      const { done, refused } = await outcomes([
        updateUser({ actor: alice, id: b.id, changes, caller: CALLER }),
        updateUser({ actor: bob, id: a.id, changes, caller: CALLER }),
      ]);
      expect({ done, refused }).toEqual({ done: 1, refused: ["last_admin"] });
      expect(await activeAdministrators()).toHaveLength(1);
      for (const { id } of [a, b])
        await updateUser({ actor: OPERATOR, id, changes: { role: "admin", status: "active" }, caller: CALLER });
    }
  });

  it("stays when every administrator is deleted at the same moment", async () => {
    const admins = [];
    for (let i = 0; i < 8; i++) admins.push(await addUser(`admin-${i}`, "admin"));
    const acts = [...admins, ...admins.toReversed()].map(({ id }) =>
      deleteUser({ actor: OPERATOR, id, caller: CALLER }),
    );
    const { done, refused } = await outcomes(acts);
    expect(done).toBe(7);
    expect(new Set(refused)).toEqual(new Set(["last_admin", "not_found"]));
    expect(await activeAdministrators()).toHaveLength(1);
  });
});
