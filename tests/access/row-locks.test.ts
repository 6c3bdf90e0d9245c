import { describe, expect, it, vi } from "vitest";
import { changePassword, updateAccount } from "#lib/access/account.ts";
import type { SessionActor } from "#lib/access/actor.ts";
import { deleteExpired } from "#lib/access/delete-expired.ts";
import { createFirstAdministrator } from "#lib/access/first-administrator.ts";
import { endOtherSessions, endOwnSession } from "#lib/access/own-sessions.ts";
import { createToken, revokeToken } from "#lib/access/tokens.ts";
import { flushUsage, recordRender, stopUsage } from "#lib/access/usage.ts";
import { deleteUser, setPassword, updateUser } from "#lib/access/users.ts";
import { useDatabase } from "../database.ts";
import { addToken, addUser, CALLER, OPERATOR, PASSWORD, signIn } from "./people.ts";
import { statementsOf } from "./statements.ts";

/*
 * The embedded database runs one transaction at a time, so that a missing lock shows only on a PostgreSQL, and there only now
 * and then. These tests read the statements instead.
 */

useDatabase();

const WRITE = /^\s*(?:insert into|update|delete from) "(?:users|sessions|tokens|audit_events)"/;

const textsOf = async (act: () => Promise<unknown>) => (await statementsOf(act)).map(({ text }) => text);

describe("a change of a user", () => {
  type Act = (actor: SessionActor) => Promise<unknown>;
  const id = (actor: SessionActor) => actor.user.id;

  it.each<[string, Act]>([
    ["an update of the account", (actor) => updateAccount({ actor, changes: { name: "X" }, caller: CALLER })],
    [
      "a change of the password",
      (actor) => changePassword({ actor, currentPassword: PASSWORD, newPassword: `${PASSWORD}!`, caller: CALLER }),
    ],
    ["a new token", (actor) => createToken({ actor, name: "X", caller: CALLER })],
    ["the end of a session", (actor) => endOwnSession({ actor, id: actor.sessionId, caller: CALLER })],
    ["the end of other sessions", (actor) => endOtherSessions({ actor, caller: CALLER })],
    ["an update", (actor) => updateUser({ actor: OPERATOR, id: id(actor), changes: { name: "X" }, caller: CALLER })],
    ["a password", (actor) => setPassword({ actor: OPERATOR, id: id(actor), password: PASSWORD, caller: CALLER })],
    ["a deletion", (actor) => deleteUser({ actor: OPERATOR, id: id(actor), caller: CALLER })],
  ])("locks the user's row before it writes: %s", async (_, act) => {
    const { actor } = await signIn(await addUser("ada"));
    const texts = await textsOf(() => act(actor));
    const lock = texts.findIndex((text) => /from "users" where .* for update$/.test(text));
    const write = texts.findIndex((text) => WRITE.test(text));
    expect(lock).toBeGreaterThanOrEqual(0);
    expect(write).toBeGreaterThan(lock);
  });
});

it("a changed email locks the tries at the old one, so that none is counted there meanwhile", async () => {
  const { actor } = await signIn(await addUser("ada"));
  const texts = await textsOf(() => updateAccount({ actor, changes: { email: "new@example.com" }, caller: CALLER }));
  const carried = texts.filter((text) => /insert into "throttle"[\s\S]*values/.test(text));
  expect(carried[0]).toContain("do update set empty_at = bucket.empty_at");
  expect(carried[1]).toContain("greatest(bucket.empty_at, excluded.empty_at)");
});

it("a revocation locks the token's row before it writes", async () => {
  const { actor } = await signIn(await addUser("ada"));
  const { id } = await addToken(actor);
  const texts = await textsOf(() => revokeToken({ actor, id, caller: CALLER }));
  expect(texts[0]).toMatch(/from "tokens" where .* for update$/);
});

it("the first administrator is created under a lock, after which users are looked for again", async () => {
  vi.stubEnv("SERVICE_ADMIN_EMAIL", "root@example.com");
  vi.stubEnv("SERVICE_ADMIN_PASSWORD", PASSWORD);
  const texts = await textsOf(createFirstAdministrator);
  vi.unstubAllEnvs();
  const lock = texts.findIndex((text) => text.includes("pg_advisory_xact_lock"));
  expect(lock).toBeGreaterThan(0);
  expect(texts[lock + 1]).toMatch(/^select .* from "users"/);
  expect(texts[lock + 2]).toMatch(/^insert into "users"/);
});

it("the clean-up waits for no row that a request holds", async () => {
  const texts = (await textsOf(() => deleteExpired())).filter((text) => /^\s*delete from/.test(text));
  expect(texts).toHaveLength(5);
  for (const text of texts) expect(text).toContain("for update skip locked");
});

it("counted renders lock their users in one order, as every other change does", async () => {
  const { actor } = await signIn(await addUser("ada"));
  recordRender({ actor, template: "a" });
  const text = (await textsOf(flushUsage)).at(-1);
  await stopUsage();
  expect(text).toMatch(/order by counted\.user_id[\s\S]*for key share of caller/);
});
