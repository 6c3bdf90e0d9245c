import dns, { type LookupAddress } from "node:dns";
import { expect, test, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { lookUpHost } from "#lib/db/host-lookups.ts";

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Name servers that answer when a test says so. */
function silentServers(): Answer[] {
  const asked: Answer[] = [];
  const lookup = (_host: string, _options: object, answer: Answer) => void asked.push(answer);
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
  return asked;
}

const FOUND = [
  { address: "192.0.2.1", family: 4 },
  { address: "192.0.2.2", family: 4 },
];

function lookUp(host: string, options = { all: true }): Promise<unknown> {
  return new Promise((resolve) => lookUpHost(host, options, (...answer) => resolve(answer)));
}

test("connections that are opened while no name server answers wait for one lookup, which may take long", async () => {
  const asked = silentServers();
  const end = new AbortController();
  const options = { url: "postgres://ada@silent.example/platen", options: {}, isEmbedded: false };
  const opened = Array.from({ length: 20 }, () => Connection.open(end.signal, undefined, options));
  const results = Promise.allSettled(opened);
  await vi.waitFor(() => expect(asked).not.toEqual([]), { timeout: 30_000 });
  end.abort(new Error("late"));
  for (const result of await results) expect(result).toMatchObject({ reason: { message: "late" } });
  // It has not ended yet.
  const again = lookUp("silent.example");
  expect(asked).toHaveLength(1);
  asked[0]?.(null, FOUND);
  expect(await again).toEqual([null, FOUND]);
});

test("a host is looked up again once a lookup of it has ended, and another host meanwhile", async () => {
  const asked = silentServers();
  const first = [lookUp("one.example"), lookUp("one.example", { all: false }), lookUp("two.example")];
  expect(asked).toHaveLength(2);
  for (const answer of asked) answer(null, FOUND);
  expect(await Promise.all(first)).toEqual([
    [null, FOUND],
    [null, "192.0.2.1", 4],
    [null, FOUND],
  ]);
  void lookUp("one.example");
  expect(asked).toHaveLength(3);
  asked.at(-1)?.(null, FOUND);
});

test("each connection gets its own error of a lookup that failed", async () => {
  const asked = silentServers();
  const waiting = [lookUp("three.example"), lookUp("three.example")];
  asked[0]?.(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }), []);
  const [[one], [other]] = (await Promise.all(waiting)) as [[Error], [Error]];
  expect(one).toMatchObject({ message: "getaddrinfo ENOTFOUND", code: "ENOTFOUND" });
  expect(other).toEqual(one);
  expect(other).not.toBe(one);
});
