import { expect, it } from "vitest";
import { clockTime, spokenTime } from "../../app/(access)/login/use-countdown.ts";

it("formats a wait as a clock", () => {
  expect([0, 5, 60, 65, 900].map(clockTime)).toEqual(["0:00", "0:05", "1:00", "1:05", "15:00"]);
});

it("formats a wait in words, without zero parts", () => {
  expect([1, 45, 60, 61, 150].map(spokenTime)).toEqual([
    "1 second",
    "45 seconds",
    "1 minute",
    "1 minute and 1 second",
    "2 minutes and 30 seconds",
  ]);
});
