import { expect, test } from "vitest";
import { readSeriesText, writeSeriesText } from "../../app/(studio)/templates/fields/series-text.ts";

test.each([
  ["3\n\n4.5", [3, 4.5], "3\n4.5"],
  [
    "Mon, 3\nTue;\nWed\t-1",
    [
      { label: "Mon", value: 3 },
      { label: "Tue", value: "" },
      { label: "Wed", value: -1 },
    ],
    "Mon, 3\nTue, \nWed, -1",
  ],
  [
    ", Shop, Web\nMon, 1, 2\nTue, , 4",
    {
      labels: ["Mon", "Tue"],
      series: [
        { name: "Shop", values: [1, ""] },
        { name: "Web", values: [2, 4] },
      ],
    },
    ", Shop, Web\nMon, 1, 2\nTue, , 4",
  ],
  ["", "", ""],
])("the lines %j are a series, and the same lines again", (text, value, written) => {
  expect(readSeriesText(text)).toEqual(value);
  expect(writeSeriesText(readSeriesText(text))).toBe(written);
});

test("a missing value of a variant is an empty cell", () => {
  expect(writeSeriesText([1, null, { label: "x", value: null }] as never)).toBe("1\n, \nx, ");
});
