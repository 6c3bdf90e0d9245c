import type { LookupAddress } from "node:dns";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import {
  KNOWN_ADDRESSES_MS,
  KNOWN_AFTER_MS,
  QUICK_LOOKUP_MS,
  SLOW_LOOKUP_MS,
  SLOW_LOOKUP_REMEMBERED_MS,
} from "#lib/images/image-limits.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { Lookups } from "#lib/images/remote/lookups.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { host, remoteOf, serve } from "./remote-server.ts";

afterEach(() => void vi.useRealTimers());

const FOUND = [{ address: "192.0.2.1", family: 4 }];

/** What is found from the second time on, so that it is seen from addresses that were known before. */
const MOVED = [{ address: "192.0.2.2", family: 4 }];

/** Lookups in which the name servers of names with `dead` do not answer. */
function machine({ waitMs }: { waitMs?: number } = {}) {
  const asked: string[] = [];
  const find = (hostname: string): Promise<LookupAddress[]> => {
    const found = asked.includes(hostname) ? MOVED : FOUND;
    asked.push(hostname);
    return hostname.includes("dead") ? new Promise(() => undefined) : Promise.resolve(found);
  };
  return { asked, lookups: new Lookups(find, waitMs) };
}

/** Looks up names as a caller, and waits for no answer. */
function ask(lookups: Lookups, caller: string, names: string[], server?: string): void {
  for (const name of names)
    imagesFor(new RenderImages(caller), () => lookups.find(name, server)).catch(() => undefined);
}

const dead = Array.from({ length: 5 }, (_, index) => `${index}.dead.example`);

test("a name that was found quickly before is found while other name servers do not answer", async () => {
  const { lookups } = machine();
  await lookups.find("good.example");
  ask(lookups, "flood", dead);
  expect(await imagesFor(new RenderImages("other"), () => lookups.find("good.example"))).toEqual(MOVED);
});

test("a name that is asked for many times at once is looked up once", async () => {
  const { asked, lookups } = machine();
  await Promise.all(Array.from({ length: 5 }, () => lookups.find("good.example")));
  expect(asked).toEqual(["good.example"]);
  await lookups.find("good.example");
  expect(asked).toHaveLength(2);
});

/** Lookups of which those of `flaky.example` and its subdomains answer in turn as given, and from then on never. `good.example` moves once. */
function flaky(answers: (() => Promise<LookupAddress[]>)[]): Lookups {
  vi.useFakeTimers({ toFake: ["performance"] });
  let isMoved = false;
  return new Lookups(async (hostname) => {
    if (hostname === "good.example") {
      const found = isMoved ? MOVED : FOUND;
      isMoved = true;
      return found;
    }
    const answer = hostname.endsWith("flaky.example") ? answers.shift() : undefined;
    return await (answer?.() ?? new Promise<never>(() => undefined));
  }, 1.5 * KNOWN_AFTER_MS);
}

const SERVER = "*.flaky.example";

const quick = async () => FOUND;

async function slow(): Promise<LookupAddress[]> {
  vi.advanceTimersByTime(QUICK_LOOKUP_MS);
  return FOUND;
}

async function slowFailure(): Promise<never> {
  vi.advanceTimersByTime(QUICK_LOOKUP_MS);
  throw new Error("no answer");
}

async function verySlow(): Promise<LookupAddress[]> {
  vi.advanceTimersByTime(SLOW_LOOKUP_MS);
  return FOUND;
}

test.each([
  ["was slow", [quick, slow]],
  ["failed slowly", [quick, slowFailure]],
  ["was quick after a very slow one", [quick, verySlow, quick]],
])("a name whose last lookup %s takes no place of names that were found quickly", async (_how, answers) => {
  const lookups = flaky([...answers]);
  await lookups.find("good.example");
  for (let times = 0; times < answers.length; times++)
    await lookups.find(`${times}.flaky.example`, SERVER).catch(() => undefined);
  ask(lookups, "flood", ["0.dead.example"]);
  ask(lookups, "flood", ["last.flaky.example"], SERVER);
  expect(await lookups.find("good.example")).toEqual(MOVED);
});

test("a name keeps the addresses that were found a few minutes ago while others of its server are very slow", async () => {
  const lookups = flaky([quick, verySlow, slow]);
  await lookups.find("a.flaky.example", SERVER);
  await lookups.find("b.flaky.example", SERVER);
  ask(lookups, "flood", ["c.flaky.example", "d.flaky.example"], SERVER);
  const late = sleep(KNOWN_AFTER_MS / 2, "late");
  expect(await Promise.race([lookups.find("a.flaky.example", SERVER), late])).toEqual(FOUND);
});

test("a name keeps the addresses of the last day where it cannot be looked up in time, and is looked up where it can", async () => {
  const lookups = flaky([quick, verySlow, async () => MOVED]);
  await lookups.find("a.flaky.example", SERVER);
  vi.advanceTimersByTime(SLOW_LOOKUP_REMEMBERED_MS);
  await lookups.find("b.flaky.example", SERVER);
  expect(await lookups.find("a.flaky.example", SERVER)).toEqual(MOVED);
  vi.advanceTimersByTime(SLOW_LOOKUP_REMEMBERED_MS);
  ask(lookups, "flood", ["0.dead.example", "c.flaky.example"], SERVER);
  expect(await lookups.find("a.flaky.example", SERVER)).toEqual(MOVED);
  // This joins the same lookup, which gives up soon.
  expect(await lookups.find("a.flaky.example", SERVER)).toEqual(MOVED);
  vi.advanceTimersByTime(KNOWN_ADDRESSES_MS);
  await expect(lookups.find("a.flaky.example", SERVER)).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

test("an image is fetched from the known addresses of its host while another name of its server is not found", async () => {
  const { port } = await serve((_, response) => response.end("image"));
  const lookups = new Lookups(async (hostname) => {
    if (hostname.startsWith("dead")) await new Promise<never>(() => undefined);
    return [{ address: "127.0.0.1", family: 4 }];
  });
  const hosts = [host("flaky.example", { port, isPrivate: true, isWildcard: true })];
  const remote = remoteOf(hosts, { find: (hostname, server) => lookups.find(hostname, server) });
  const fetchAs = (caller: string, name: string) =>
    imagesFor(new RenderImages(caller), () => fetchImage(`http://${name}.flaky.example:${port}/`, remote));
  await fetchAs("other", "a");
  fetchAs("flood", "dead").catch(() => undefined);
  expect(await fetchAs("other", "a")).toEqual({ bytes: Buffer.from("image") });
});

test("a known name whose own lookup gets no answer keeps its addresses", async () => {
  const lookups = flaky([quick]);
  await lookups.find("a.flaky.example", SERVER);
  ask(lookups, "flood", ["a.flaky.example"], SERVER);
  expect(await lookups.find("a.flaky.example", SERVER)).toEqual(FOUND);
});

test("names of one server take one place, however quickly they were found before", async () => {
  const names = ["a.flaky.example", "b.flaky.example"];
  const lookups = flaky([quick, quick]);
  await lookups.find("good.example");
  for (const name of names) await lookups.find(name, SERVER);
  imagesFor(new RenderImages("flood"), () => {
    for (const name of names) lookups.find(name, SERVER).catch(() => undefined);
  });
  expect(await lookups.find("good.example")).toEqual(MOVED);
});

test("a name that does not exist does not take the place of its server from other names", async () => {
  const lookups = flaky([quick, () => Promise.reject(new Error("ENOTFOUND")), async () => MOVED]);
  await lookups.find("a.flaky.example", SERVER);
  await lookups.find("b.flaky.example", SERVER).catch(() => undefined);
  ask(lookups, "flood", dead);
  expect(await lookups.find("a.flaky.example", SERVER)).toEqual(MOVED);
});

test("a lookup that cannot begin in time fails", async () => {
  const { asked, lookups } = machine({ waitMs: 20 });
  ask(lookups, "flood", dead);
  await expect(lookups.find("9.dead.example")).rejects.toMatchObject({ code: "ETIMEDOUT" });
  expect(asked).toEqual(["0.dead.example"]);
});
