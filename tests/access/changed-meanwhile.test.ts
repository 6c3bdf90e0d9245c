import * as argon2 from "@node-rs/argon2";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { changePassword, updateAccount } from "#lib/access/account.ts";
import type { SessionActor } from "#lib/access/actor.ts";
import { logIn, logOut } from "#lib/access/login.ts";
import { endOtherSessions, endOwnSession } from "#lib/access/own-sessions.ts";
import { findSession } from "#lib/access/sessions.ts";
import { createToken, revokeToken } from "#lib/access/tokens.ts";
import { createUser, deleteUser, setPassword, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions, tokens, users } from "#lib/db/schema.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addToken, addUser, CALLER, expectRefusal, OPERATOR, PASSWORD, signIn, tokenState } from "./people.ts";

vi.mock("@node-rs/argon2", { spy: true });
useDatabase();

const NEW_PASSWORD = "the next password of this user";

/** Runs `change` after the next verification of a password has its result, and before the caller gets that result. */
async function afterVerification(change: () => Promise<unknown>): Promise<void> {
  const { verify } = await vi.importActual<typeof argon2>("@node-rs/argon2");
  vi.mocked(argon2.verify).mockImplementationOnce(async (...parameters) => {
    const isRight = await verify(...parameters);
    await change();
    return isRight;
  });
}

/** Runs `change` after the next password was hashed, and before it is stored. */
async function afterHash(change: () => Promise<unknown>): Promise<void> {
  const { hash } = await vi.importActual<typeof argon2>("@node-rs/argon2");
  vi.mocked(argon2.hash).mockImplementationOnce(async (...parameters) => {
    const made = await hash(...parameters);
    await change();
    return made;
  });
}

const asOperator = (id: string) => ({ actor: OPERATOR, id, caller: CALLER });

const deactivate = ({ user }: SessionActor) =>
  updateUser({ ...asOperator(user.id), changes: { status: "deactivated" } });

const changeOwnPassword = (actor: SessionActor, newPassword = NEW_PASSWORD) =>
  changePassword({ actor, currentPassword: PASSWORD, newPassword, caller: CALLER });

type Change = (actor: SessionActor, secret: string) => Promise<unknown>;

const PASSWORD_CHANGES: [string, Change][] = [
  ["the user changes it", (actor) => changeOwnPassword(actor)],
  ["the user changes it to the same one", (actor) => changeOwnPassword(actor, PASSWORD)],
  ["an administrator sets another", ({ user }) => setPassword({ ...asOperator(user.id), password: NEW_PASSWORD })],
  ["an administrator sets the same one", ({ user }) => setPassword({ ...asOperator(user.id), password: PASSWORD })],
];

const USER_ENDS: [string, Change][] = [
  ["the user is deactivated", deactivate],
  [
    "the user is deactivated while a session is left over",
    ({ user }) => query((db) => db.update(users).set({ status: "deactivated" }).where(eq(users.id, user.id))),
  ],
  ["the user is deleted", ({ user }) => deleteUser(asOperator(user.id))],
];

const SESSION_ENDS: [string, Change][] = [
  ["the session is logged out", (_, presented) => logOut({ presented, caller: CALLER })],
  [
    "the session is ended from another one",
    async ({ user }) => {
      const { actor } = await signIn(user);
      await endOtherSessions({ actor, caller: CALLER });
    },
  ],
  ["the session expires", () => query((db) => db.update(sessions).set({ expiresAt: sql`now()` }))],
];

const sessionIds = async () => (await query((db) => db.select({ id: sessions.id }).from(sessions))).map(({ id }) => id);
const actsRecorded = async () => (await listAuditEvents({ limit: 100 })).map(({ act }) => act);

/** Everything that an act may change. */
async function everything() {
  const [people, made] = await query(async (db) => [await db.select().from(users), await db.select().from(tokens)]);
  return { people, made, sessions: await sessionIds(), acts: await actsRecorded() };
}

describe("a login whose password is being verified", () => {
  it.each([...PASSWORD_CHANGES, ...USER_ENDS])(
    "is refused when %s meanwhile, and changes nothing",
    async (_, change) => {
      const ada = await addUser("ada");
      const { actor, secret } = await signIn(ada);
      let before: unknown;
      await afterVerification(async () => {
        await change(actor, secret);
        before = await everything();
      });
      await expectRefusal(logIn({ email: ada.email, password: PASSWORD, caller: CALLER }), "unauthorized");
      expect(await everything()).toEqual(before);
    },
  );

  it("leaves the presented session alone when the password is changed meanwhile", async () => {
    const [ada, bob] = [await addUser("ada"), await signIn(await addUser("bob"))];
    await afterVerification(() => setPassword({ ...asOperator(ada.id), password: NEW_PASSWORD }));
    const login = { email: ada.email, password: PASSWORD, presented: bob.secret, caller: CALLER };
    await expectRefusal(logIn(login), "unauthorized");
    expect(await findSession(bob.secret)).toBeDefined();
  });

  it("succeeds when only name, email or role change meanwhile", async () => {
    const ada = await addUser("ada");
    const changes = { name: "Countess", email: "countess@example.com", role: "admin" } as const;
    await afterVerification(() => updateUser({ ...asOperator(ada.id), changes }));
    const { user } = await logIn({ email: ada.email, password: PASSWORD, caller: CALLER });
    expect(user).toMatchObject(changes);
  });
});

describe.each([
  ["whose current password is being verified", afterVerification],
  ["whose new password is being hashed", afterHash],
] as const)("a password change %s", (_, meanwhile) => {
  it.each([
    ...PASSWORD_CHANGES.map(([name, change]) => ({ name, change, code: "wrong_password" as const })),
    ...[...USER_ENDS, ...SESSION_ENDS].map(([name, change]) => ({ name, change, code: "unauthorized" as const })),
  ])("is refused when $name meanwhile, and changes nothing", async ({ change, code }) => {
    const { actor, secret } = await signIn(await addUser("ada"));
    let before: unknown;
    await meanwhile(async () => {
      await change(actor, secret);
      before = await everything();
    });
    await expectRefusal(changeOwnPassword(actor, "a password that must not be set"), code);
    expect(await everything()).toEqual(before);
  });
});

describe.each([...USER_ENDS, ...SESSION_ENDS])("once %s, a request that was authenticated before", (_, change) => {
  type Act = (actor: SessionActor, own: { tokenId: string; other: string }) => Promise<unknown>;

  it.each<[string, Act]>([
    ["creates no token", (actor) => createToken({ actor, name: "Late", caller: CALLER })],
    ["changes no account", (actor) => updateAccount({ actor, changes: { name: "Late" }, caller: CALLER })],
    ["ends no session", (actor) => endOwnSession({ actor, id: actor.sessionId, caller: CALLER })],
    ["ends no other sessions", (actor) => endOtherSessions({ actor, caller: CALLER })],
    ["revokes no token", (actor, { tokenId }) => revokeToken({ actor, id: tokenId, caller: CALLER })],
    [
      "creates no user",
      (actor) =>
        createUser({ actor, user: { email: "late@example.com", name: "Late", password: PASSWORD }, caller: CALLER }),
    ],
    [
      "changes no user",
      (actor, { other }) => updateUser({ actor, id: other, changes: { name: "Late" }, caller: CALLER }),
    ],
    [
      "sets no password",
      (actor, { other }) => setPassword({ actor, id: other, password: NEW_PASSWORD, caller: CALLER }),
    ],
    ["deletes no user", (actor, { other }) => deleteUser({ actor, id: other, caller: CALLER })],
  ])("%s", async (_name, act) => {
    await addUser("root", "admin");
    const other = await addUser("other");
    const { id: tokenId } = await addToken((await signIn(other)).actor);
    const { actor, secret } = await signIn(await addUser("ada", "admin"));
    await change(actor, secret);
    const before = await everything();
    await expectRefusal(act(actor, { tokenId, other: other.id }), "unauthorized");
    expect(await everything()).toEqual(before);
  });
});

describe("an administrator whose session ends meanwhile", () => {
  it("manages nobody any more, not even themselves", async () => {
    await addUser("root", "admin");
    const { actor, secret } = await signIn(await addUser("ada", "admin"));
    await logOut({ presented: secret, caller: CALLER });
    const self = { actor, id: actor.user.id, caller: CALLER };
    await expectRefusal(updateUser({ ...self, changes: { name: "Late" } }), "unauthorized");
    await expectRefusal(setPassword({ ...self, password: NEW_PASSWORD }), "unauthorized");
    await expectRefusal(deleteUser(self), "unauthorized");
  });
});

describe("an administrator who is demoted meanwhile", () => {
  it("revokes tokens of their own, and no others", async () => {
    await addUser("root", "admin");
    const bob = (await signIn(await addUser("bob"))).actor;
    const { actor } = await signIn(await addUser("ada", "admin"));
    const [own, foreign] = [await addToken(actor), await addToken(bob)];
    await updateUser({ ...asOperator(actor.user.id), changes: { role: "user" } });
    await expectRefusal(revokeToken({ actor, id: foreign.id, caller: CALLER }), "not_found");
    expect(await tokenState(foreign.token)).toBe("valid");
    await revokeToken({ actor, id: own.id, caller: CALLER });
    expect(await tokenState(own.token)).toBe("revoked");
  });
});

describe("a password that an administrator sets", () => {
  it("is stored for a user whose name and role change while it is hashed", async () => {
    const ada = await addUser("ada");
    await afterHash(() => updateUser({ ...asOperator(ada.id), changes: { name: "Countess", role: "admin" } }));
    await setPassword({ ...asOperator(ada.id), password: NEW_PASSWORD });
    const { user } = await logIn({ email: ada.email, password: NEW_PASSWORD, caller: CALLER });
    expect(user).toMatchObject({ name: "Countess", role: "admin" });
  });

  it("ends the session of a login that finished while it was hashed", async () => {
    const ada = await addUser("ada");
    let secret = "";
    await afterHash(async () => {
      ({ secret } = await logIn({ email: ada.email, password: PASSWORD, caller: CALLER }));
    });
    await setPassword({ ...asOperator(ada.id), password: NEW_PASSWORD });
    expect(await findSession(secret)).toBeUndefined();
  });

  it.each<[string, (actor: SessionActor) => Promise<unknown>, "forbidden" | "unauthorized"]>([
    ["is demoted", ({ user }) => updateUser({ ...asOperator(user.id), changes: { role: "user" } }), "forbidden"],
    ["is deactivated", deactivate, "unauthorized"],
    ["is deleted", ({ user }) => deleteUser(asOperator(user.id)), "unauthorized"],
    [
      "is signed out",
      ({ user }) => query((db) => db.delete(sessions).where(eq(sessions.userId, user.id))),
      "unauthorized",
    ],
  ])("is not stored when the administrator %s while it is hashed", async (_, change, code) => {
    await addUser("root", "admin");
    const bob = await addUser("bob");
    const { actor } = await signIn(await addUser("ada", "admin"));
    await afterHash(() => change(actor));
    await expectRefusal(setPassword({ actor, id: bob.id, password: NEW_PASSWORD, caller: CALLER }), code);
    await logIn({ email: bob.email, password: PASSWORD, caller: CALLER });
    const user = { email: "eve@example.com", name: "Eve", password: PASSWORD, role: "admin" } as const;
    await expectRefusal(createUser({ actor, user, caller: CALLER }), code);
  });
});
