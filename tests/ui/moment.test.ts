import { expect, test } from "vitest";
import { joinMoment, splitMoment } from "../../app/(studio)/templates/fields/moment.ts";

test.each([
  ["2026-05-01", "2026-05-01", ""],
  ["2026-05-01T19:30", "2026-05-01T19:30", ""],
  ["2026-05-01T19:30Z", "2026-05-01T19:30", "Z"],
  ["2026-05-01T19:30-03:30", "2026-05-01T19:30", "-03:30"],
  ["2026-05-01T19:30[Europe/Berlin]", "2026-05-01T19:30", "Europe/Berlin"],
  ["2026-05-01T19:30[Etc/GMT+3]", "2026-05-01T19:30", "Etc/GMT+3"],
  ["2026-05-01T19:30[Nowhere]", "2026-05-01T19:30", "Nowhere"],
  ["2026-05-01T19:30+2h", "2026-05-01T19:30", "+2h"],
  ["2026-05-01T19:30[Europe]Berlin]", "2026-05-01T19:30", "Europe]Berlin"],
  ["", "", ""],
])("%j is the time %j in the zone %j, and is written again", (text, local, zone) => {
  expect(splitMoment(text)).toEqual({ local, zone });
  expect(joinMoment({ local, zone })).toBe(text);
});

test.each([
  ["2026-05-01T19:30:00+02:00[Europe/Berlin]", "2026-05-01T19:30[Europe/Berlin]"],
  ["2026-05-01T19:30+02:00[Europe/Berlin]", "2026-05-01T19:30[Europe/Berlin]"],
  ["tomorrow", ""],
])("%j is written as %j, because the zone decides about the offset", (text, written) => {
  expect(joinMoment(splitMoment(text))).toBe(written);
});

test("a zone without a time is no moment", () => {
  expect(joinMoment({ local: "", zone: "Europe/Berlin" })).toBe("");
});
