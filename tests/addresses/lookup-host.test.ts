import dns, { type LookupAddress } from "node:dns";
import { expect, test, vi } from "vitest";
import { lookUpHost } from "#lib/addresses/lookup-host.ts";
import { Connection } from "#lib/db/connection.ts";
import { connectBrowser } from "#lib/render/chromium/remote-browser.ts";

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

function lookUp(host: string, options: dns.LookupOptions = { all: true }): Promise<unknown> {
  return new Promise((resolve) => lookUpHost(host, options, (...answer) => resolve(answer)));
}

const DATABASE = { url: "postgres://ada@silent.example/platen", options: {}, isEmbedded: false };

test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ["a database", (signal) => Connection.open(signal, undefined, DATABASE)],
  ["a remote browser", (signal) => connectBrowser("ws://silent.example/path", signal)],
  ["a remote browser that is asked for its path", (signal) => connectBrowser("ws://silent.example", signal)],
])("connections to %s that are opened while no name server answers wait for one lookup", async (_name, open) => {
  const asked = silentServers();
  for (let round = 0; round < 2; round++) {
    const end = new AbortController();
    const results = Promise.allSettled(Array.from({ length: 20 }, () => open(end.signal)));
    await vi.waitFor(() => expect(asked).not.toEqual([]), { timeout: 30_000 });
    end.abort(new Error("late"));
    for (const { status } of await results) expect(status).toBe("rejected");
  }
  const again = lookUp("silent.example");
  expect(asked).toHaveLength(1);
  asked[0]?.(Object.assign(new Error("getaddrinfo EAI_AGAIN"), { code: "EAI_AGAIN" }), []);
  expect(await again).toEqual([expect.objectContaining({ code: "EAI_AGAIN" }), []]);
});

test("a host is looked up again once a lookup of it has ended, and another host meanwhile", async () => {
  const asked = silentServers();
  const first = [lookUp("one.example"), lookUp("one.example", { all: false }), lookUp("two.example")];
  expect(asked).toHaveLength(2);
  const other = lookUp("one.example", { all: true, family: 6 });
  expect(asked).toHaveLength(3);
  for (const answer of asked) answer(null, FOUND);
  expect(await other).toEqual([null, FOUND]);
  expect(await Promise.all(first)).toEqual([
    [null, FOUND],
    [null, "192.0.2.1", 4],
    [null, FOUND],
  ]);
  void lookUp("one.example");
  expect(asked).toHaveLength(4);
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
