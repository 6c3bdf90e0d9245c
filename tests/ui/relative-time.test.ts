import { describe, expect, it } from "vitest";
import { exactTime, relativeTime } from "../../app/ui/content/relative-time.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const ago = (seconds: number) => relativeTime(new Date(NOW.getTime() - seconds * 1000), NOW);

describe("the relative time of a moment", () => {
  it("uses the largest fitting unit", () => {
    expect([0, 59, 60, 3599, 3600, 86_399].map(ago)).toEqual([
      "just now",
      "just now",
      "1 minute ago",
      "59 minutes ago",
      "1 hour ago",
      "23 hours ago",
    ]);
    expect([1, 29, 31, 364, 800].map((days) => ago(days * 86_400))).toEqual([
      "yesterday",
      "29 days ago",
      "last month",
      "11 months ago",
      "2 years ago",
    ]);
    expect(ago(-7200)).toBe("in 2 hours");
  });

  it("has an exact form in UTC", () => {
    expect(exactTime(new Date("2026-03-01T17:20:09.123Z"))).toBe("2026-03-01 17:20:09 UTC");
  });
});
