import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { SessionActor } from "#lib/access/actor.ts";
import { endOwnSession } from "#lib/access/own-sessions.ts";
import { updateUser } from "#lib/access/users.ts";
import { inLine, partsInLine } from "#lib/http/route/whole-lists.ts";
import { addUser, CALLER, OPERATOR, signIn } from "#tests/access/people.ts";
import { send } from "#tests/app/client.ts";
import { useDatabase } from "#tests/database.ts";

useDatabase();

const { signal } = new AbortController();

/** Keeps the line of an account waiting until `release` is called. */
function holdLine(account: string): { release: () => Promise<void> } {
  const held = Promise.withResolvers<void>();
  const first = inLine(account, signal, () => held.promise);
  const release = async () => {
    held.resolve();
    await first;
  };
  onTestFinished(release);
  return { release };
}

it("lists of any length of an account wait for one another, and neither for short ones nor for other accounts", async () => {
  const [ada, bob] = [await signIn(await addUser("ada", "admin")), await signIn(await addUser("bob", "admin"))];
  const { id } = ada.actor.user;
  const whole = ["users", "tokens", "tokens/usage", `users/${id}/tokens`, `users/${id}/tokens/usage`];
  const { release } = holdLine(id);
  let answered = 0;
  const answers = whole.map(async (path) => {
    const { status } = await send("GET", path, { session: ada.secret });
    answered++;
    return status;
  });
  for (const path of ["users?limit=5", "users?page=1", "tokens?limit=5", "account"])
    expect((await send("GET", path, { session: ada.secret })).status).toBe(200);
  for (const path of whole) expect((await send("GET", path, { session: bob.secret })).status).toBe(200);
  expect(answered).toBe(0);
  await release();
  expect(await Promise.all(answers)).toEqual(whole.map(() => 200));
});

const change = (id: string, changes: { role: "user" } | { status: "deactivated" }) =>
  updateUser({ actor: OPERATOR, id, changes, caller: CALLER });

const LOST_RIGHTS: [string, (actor: SessionActor) => Promise<unknown>, Record<"users" | "tokens" | "own", number>][] = [
  [
    "an administrator was demoted",
    ({ user }) => change(user.id, { role: "user" }),
    { users: 403, tokens: 404, own: 200 },
  ],
  [
    "a user was deactivated",
    ({ user }) => change(user.id, { status: "deactivated" }),
    { users: 401, tokens: 401, own: 401 },
  ],
  [
    "a session was ended",
    (actor) => endOwnSession({ actor, id: actor.sessionId, caller: CALLER }),
    { users: 401, tokens: 401, own: 401 },
  ],
];

it.each(LOST_RIGHTS)("a list that waits is refused when %s meanwhile", async (_, lose, wanted) => {
  const [ada, bob] = [await signIn(await addUser("ada", "admin")), await signIn(await addUser("bob", "admin"))];
  const { release } = holdLine(ada.actor.user.id);
  const ofBob = `users/${bob.actor.user.id}/tokens`;
  const waiting = ["users", ofBob, `${ofBob}/usage`, "tokens", "tokens/usage"].map((path) =>
    send("GET", path, { session: ada.secret }),
  );
  // A part of the list is answered while the others wait, so they have been admitted.
  expect((await send("GET", "users?limit=5", { session: ada.secret })).status).toBe(200);
  await lose(ada.actor);
  await release();
  const { users, tokens, own } = wanted;
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([users, tokens, tokens, own, own]);
});

it("a list is read only once the one before it is done, whether that succeeds or fails", async () => {
  const order: string[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lists = [first, second].map(({ promise }, index) =>
    inLine("ada", signal, async () => {
      order.push(`begun ${index}`);
      await promise.finally(() => order.push(`done ${index}`));
    }),
  );
  const failed = expect(lists[0]).rejects.toThrow("broken");
  second.resolve();
  first.reject(new Error("broken"));
  await failed;
  await lists[1];
  expect(order).toEqual(["begun 0", "done 0", "begun 1", "done 1"]);
});

it("a list is not read for a client that has left while it waited, and the next one is", async () => {
  const { release } = holdLine("ada");
  const client = new AbortController();
  let reads = 0;
  const read = async () => ++reads;
  const left = expect(inLine("ada", client.signal, read)).rejects.toThrow("left");
  const next = inLine("ada", signal, read);
  client.abort(new Error("left"));
  await release();
  await left;
  expect(await next).toBe(1);
});

it("a part of a stream waits in the line when it is read, and the line is free until then", async () => {
  const { release } = holdLine("ada");
  let isLeft = false;
  async function* count(): AsyncGenerator<number, void> {
    try {
      for (let i = 0; i < 3; i++) yield i;
    } finally {
      isLeft = true;
    }
  }
  const parts = partsInLine("ada", signal, count());
  let read: number | undefined;
  const first = parts.next().then(({ value }) => (read = value ?? undefined));
  await setImmediate();
  expect(read).toBeUndefined();
  await release();
  await first;
  expect(read).toBe(0);
  expect(await inLine("ada", signal, async () => "free")).toBe("free");
  expect(await parts.next()).toEqual({ done: false, value: 1 });
  await parts.return();
  expect(isLeft).toBe(true);
});

it("an export of the audit trail waits for the other lists of its account", async () => {
  const [ada, bob] = [await signIn(await addUser("ada", "admin")), await signIn(await addUser("bob", "admin"))];
  const { release } = holdLine(ada.actor.user.id);
  const exportOf = (session: string) => send("GET", "audit/export", { session });
  let text: string | undefined;
  const reading = (await exportOf(ada.secret)).text().then((all) => (text = all));
  for (let i = 0; i < 3; i++) expect(await (await exportOf(bob.secret)).text()).toContain("audit.exported");
  expect(text).toBeUndefined();
  await release();
  await reading;
  expect(text).toContain("audit.exported");
});
