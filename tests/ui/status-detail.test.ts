import { describe, expect, it } from "vitest";
import { detailText } from "../../app/(studio)/status/detail-text.ts";

describe("a detail of the status report", () => {
  it("is formatted in a readable unit", () => {
    const bytes = (value: number) => detailText({ value, unit: "bytes" });
    expect([0, 1, 999, 1_000, 999_700, 142_995_456, 25_276_502_016].map(bytes)).toEqual([
      "none",
      "1 byte",
      "999 bytes",
      "1 kB",
      "1 MB",
      "143 MB",
      "25.3 GB",
    ]);
    const ms = (value: number) => detailText({ value, unit: "milliseconds" });
    expect([0, 0.42, 48.36, 999.7, 5_000, 30_000, 90_000].map(ms)).toEqual([
      "0 ms",
      "0.4 ms",
      "48 ms",
      "1 sec",
      "5 sec",
      "30 sec",
      "1 min, 30 sec",
    ]);
    const seconds = (value: number) => detailText({ value, unit: "seconds" });
    expect([5.47, 59.4, 59.6, 60, 3_600, 7_265, 180_000].map(seconds)).toEqual([
      "5.5 sec",
      "59 sec",
      "1 min",
      "1 min",
      "1 hr",
      "2 hr, 1 min",
      "2 days, 2 hr",
    ]);
  });

  it("is a word when it is not a number", () => {
    const plain = (value: string | number | boolean | null) => detailText({ value, unit: null });
    expect([true, false, null, "auto", 1_000, 0].map(plain)).toEqual(["yes", "no", "unknown", "auto", "1,000", "0"]);
  });
});
