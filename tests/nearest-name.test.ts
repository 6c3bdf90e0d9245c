import { expect, it } from "vitest";
import { nearestByLastPart, nearestName } from "#lib/nearest-name.ts";
import { processorMs } from "#tests/pace.ts";

const FIELDS = ["title", "subtitle", "accentColor", "author"];

it.each([
  ["titel", "title"],
  ["TITLE", "title"],
  ["accentcolour", "accentColor"],
  ["autor", "author"],
])("%s is corrected to %s", (name, meant) => {
  expect(nearestName(name, FIELDS)).toBe(meant);
});

it.each(["", "zebra", "x", "t".repeat(61), "title".repeat(10)])("%s is corrected to nothing", (name) => {
  expect(nearestName(name, FIELDS)).toBeUndefined();
});

it("a candidate with the same letters goes before others that are as near", () => {
  expect(nearestName("Widht", ["right", "width"])).toBe("width");
});

it("finds nothing among no candidates", () => {
  expect(nearestName("title", [])).toBeUndefined();
});

it.each([
  ["quote", "social/quote"],
  ["cards/quote", "social/quote"],
  ["quotee", "social/quote"],
  ["job", "social/job"],
  ["og", undefined],
  ["x/og", undefined],
  ["", undefined],
])("the last part of %s finds %s", (slug, meant) => {
  expect(nearestByLastPart(slug, ["social/quote", "social/job"])).toBe(meant);
});

it("is fast for a name of megabytes and for thousands of names", () => {
  const before = processorMs();
  nearestName("t".repeat(12_000_000), FIELDS);
  for (let count = 0; count < 1_000; count++) nearestName("t".repeat(60), FIELDS);
  expect(processorMs() - before).toBeLessThan(100);
});
