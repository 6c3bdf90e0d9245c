import { expect, it } from "vitest";
import { nearestName } from "#lib/nearest-name.ts";
import { processorMs } from "#tests/pace.ts";

const FIELDS = ["title", "subtitle", "accentColor", "author"];

it.each([
  ["titel", "title"],
  ["TITLE", "title"],
  ["accentcolour", "accentColor"],
  ["autor", "author"],
])("%s means %s", (name, meant) => {
  expect(nearestName(name, FIELDS)).toBe(meant);
});

it.each(["", "zebra", "x", "t".repeat(61), "title".repeat(10)])("%s means none", (name) => {
  expect(nearestName(name, FIELDS)).toBeUndefined();
});

it("means none where there is none", () => {
  expect(nearestName("title", [])).toBeUndefined();
});

it("costs nothing for a name of megabytes, and little for thousands of names", () => {
  const before = processorMs();
  nearestName("t".repeat(12_000_000), FIELDS);
  for (let count = 0; count < 1_000; count++) nearestName("t".repeat(60), FIELDS);
  expect(processorMs() - before).toBeLessThan(100);
});
