import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { Lookups } from "#lib/images/remote/lookups.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";

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

test("a lookup that hangs takes one place at most, also of a name that was found quickly before", async () => {
  const answers = [Promise.resolve(FOUND), new Promise<LookupAddress[]>(() => undefined)];
  const lookups = new Lookups(
    (hostname) => (hostname === "good.example" ? Promise.resolve(FOUND) : answers.shift()) as never,
  );
  await lookups.find("good.example");
  await lookups.find("once.example");
  ask(lookups, "flood", ["once.example"]);
  expect(await lookups.find("good.example")).toEqual(FOUND);
});

test("a lookup that cannot begin in time fails", async () => {
  const { asked, lookups } = machine({ waitMs: 20 });
  ask(lookups, "flood", dead);
  await expect(lookups.find("9.dead.example")).rejects.toMatchObject({ code: "ETIMEDOUT" });
  expect(asked).toEqual(["0.dead.example"]);
});
