import type { LookupAddress } from "node:dns";
import { afterEach, expect, test, vi } from "vitest";
import { QUICK_LOOKUP_MS } from "#lib/images/image-limits.ts";
import { Lookups } from "#lib/images/remote/lookups.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";

afterEach(() => void vi.useRealTimers());

const FOUND = [{ address: "192.0.2.1", family: 4 }];

/** Lookups in which the name servers of names with `dead` do not answer. */
function machine({ waitMs }: { waitMs?: number } = {}) {
  const asked: string[] = [];
  const find = (hostname: string): Promise<LookupAddress[]> => {
    asked.push(hostname);
    return hostname.includes("dead") ? new Promise(() => undefined) : Promise.resolve(FOUND);
  };
  return { asked, lookups: new Lookups(find, waitMs) };
}

/** Looks up names as a caller, and waits for no answer. */
function ask(lookups: Lookups, caller: string, names: string[]): void {
  for (const name of names) imagesFor(new RenderImages(caller), () => lookups.find(name)).catch(() => undefined);
}

const dead = Array.from({ length: 5 }, (_, index) => `${index}.dead.example`);

test("a name that was found quickly before is found while other name servers do not answer", async () => {
  const { lookups } = machine();
  await lookups.find("good.example");
  ask(lookups, "flood", dead);
  expect(await imagesFor(new RenderImages("other"), () => lookups.find("good.example"))).toEqual(FOUND);
});

test("a name that is asked for many times at once is looked up once", async () => {
  const { asked, lookups } = machine();
  await Promise.all(Array.from({ length: 5 }, () => lookups.find("good.example")));
  expect(asked).toEqual(["good.example"]);
  await lookups.find("good.example");
  expect(asked).toHaveLength(2);
});

test.each([
  [
    "was slow",
    async () => {
      vi.advanceTimersByTime(QUICK_LOOKUP_MS);
      return FOUND;
    },
  ],
  ["failed", () => Promise.reject(new Error("no answer"))],
])("a name whose last lookup %s takes no place of names that were found quickly", async (_how, last) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const answers = [async () => FOUND, last];
  const lookups = new Lookups(async (hostname) => {
    if (hostname === "good.example") return FOUND;
    const answer = hostname === "flaky.example" ? answers.shift() : undefined;
    return await (answer?.() ?? new Promise<never>(() => undefined));
  }, 1_000);
  await lookups.find("good.example");
  for (let times = 0; times < 2; times++) await lookups.find("flaky.example").catch(() => undefined);
  ask(lookups, "flood", ["0.dead.example", "flaky.example"]);
  expect(await lookups.find("good.example")).toEqual(FOUND);
});

test("a lookup that cannot begin in time fails", async () => {
  const { asked, lookups } = machine({ waitMs: 20 });
  ask(lookups, "flood", dead);
  await expect(lookups.find("9.dead.example")).rejects.toMatchObject({ code: "ETIMEDOUT" });
  expect(asked).toEqual(["0.dead.example"]);
});
