import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LOGIN_SPACING_MS } from "#lib/http/http-limits.ts";
import { LoginTurns } from "#lib/http/server/login-turns.ts";
import { expectRefusal } from "#tests/access/people.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response on a connection of its own. Like a pipelined one, it has no connection before its turn. */
const newResponse = (socket = {}) =>
  Object.assign(new EventEmitter(), { req: { socket }, destroyed: false }) as unknown as ServerResponse;

/** Logins that note their names when they begin. */
function run(turns = new LoginTurns()) {
  const begun: string[] = [];
  const add = (address: string, name: string, response = newResponse()) => {
    void turns.take(address, response).then((isThere) => isThere && begun.push(name));
    return response;
  };
  return { begun, add };
}

const pass = (turns: number) => vi.advanceTimersByTimeAsync(turns * LOGIN_SPACING_MS);

it("a single login begins at once, and the next one after a pause", async () => {
  const { begun, add } = run();
  add("a", "first");
  await pass(0);
  expect(begun).toEqual(["first"]);
  add("a", "second");
  await vi.advanceTimersByTimeAsync(LOGIN_SPACING_MS - 1);
  expect(begun).toEqual(["first"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["first", "second"]);
  await pass(3);
  add("a", "third");
  await pass(0);
  expect(begun).toEqual(["first", "second", "third"]);
});

it("a login waits for one other of each flooding address", async () => {
  const { begun, add } = run();
  for (let at = 0; at < 250; at++) add("flood", `flood ${at}`);
  add("owner", "owner");
  add("owner", "owner again");
  await pass(4);
  expect(begun).toEqual(["flood 0", "flood 1", "owner", "flood 2", "owner again"]);
  await pass(250);
  expect(begun).toHaveLength(252);
});

it("a client that disconnects gives its turn to the next", async () => {
  const { begun, add } = run();
  add("a", "first");
  const gone = add("b", "gone");
  add("c", "last");
  gone.emit("close");
  await pass(1);
  expect(begun).toEqual(["first", "last"]);
});

it("a connection waits with one login at a time", async () => {
  const turns = new LoginTurns();
  const socket = {};
  const { begun, add } = run(turns);
  add("a", "first");
  add("a", "second", newResponse(socket));
  await expectRefusal(turns.take("a", newResponse(socket)), "overloaded");
  await pass(1);
  expect(begun).toEqual(["first", "second"]);
  add("a", "third", newResponse(socket));
  await pass(1);
  expect(begun).toEqual(["first", "second", "third"]);
});

it("a login whose body arrives late waits for another turn, beside logins that have not begun", async () => {
  const turns = new LoginTurns();
  const { begun, add } = run(turns);
  const late = add("late", "late");
  await pass(0);
  for (let at = 0; at < 3; at++) add("flood", `flood ${at}`);
  void turns.takeAgain("late", late).then((isThere) => isThere && begun.push("late again"));
  await pass(3);
  expect(begun).toEqual(["late", "flood 0", "late again", "flood 1"]);
});
