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
  // As programs export tables: without a space behind the comma.
  [
    ",A,B\nJan,10,20\nFeb,1,234",
    {
      labels: ["Jan", "Feb"],
      series: [
        { name: "A", values: [10, 1] },
        { name: "B", values: [20, 234] },
      ],
    },
    ", A, B\nJan, 10, 20\nFeb, 1, 234",
  ],
  [
    "Jan,5\nFeb,1.5",
    [
      { label: "Jan", value: 5 },
      { label: "Feb", value: 1.5 },
    ],
    "Jan, 5\nFeb, 1.5",
  ],
  [
    "\t24.12.2025\t31.12.2025\nA\t1\t2",
    {
      labels: ["A"],
      series: [
        { name: "24.12.2025", values: [1] },
        { name: "31.12.2025", values: [2] },
      ],
    },
    ", 24.12.2025, 31.12.2025\nA, 1, 2",
  ],
  ["", "", ""],
])("the lines %j are a series, and the same lines again", (text, value, written) => {
  expect(readSeriesText(text)).toEqual(value);
  expect(writeSeriesText(readSeriesText(text))).toBe(written);
});

test("a missing value of a variant is an empty cell", () => {
  expect(writeSeriesText([1, null, { label: "x", value: null }] as never)).toBe("1\n, \nx, ");
});

test.each([
  [
    "Jan\t1,234\nFeb\t-1,5",
    [
      { label: "Jan", value: "1,234" },
      { label: "Feb", value: "-1,5" },
    ],
  ],
  ["Jan; 1,5", [{ label: "Jan", value: "1,5" }]],
  ["Jan, 1,234.5", [{ label: "Jan", value: "1,234.5" }]],
  ["Jan,1,5", [{ label: "Jan", value: "1,5" }]],
  ["Jan, -1.234,56", [{ label: "Jan", value: "-1.234,56" }]],
  ["Paris, 1,234,567", [{ label: "Paris", value: "1,234,567" }]],
  [
    ", A, B\nJan, 1, 2, 3",
    {
      labels: ["Jan"],
      series: [
        { name: "A", values: [1] },
        { name: "B", values: ["2, 3"] },
      ],
    },
  ],
  [
    "\tA\tB\nJan\t1,234\t2",
    {
      labels: ["Jan"],
      series: [
        { name: "A", values: ["1,234"] },
        { name: "B", values: [2] },
      ],
    },
  ],
])("the number with a comma in %j stays whole, for the service to refuse", (text, value) => {
  expect(readSeriesText(text)).toEqual(value);
});

test("a comma and a semicolon may be in a label, and a year may be one", () => {
  for (const text of ["Rome, 1\nParis, in May, 5", "a;b, 5", "2019, 12"])
    expect(writeSeriesText(readSeriesText(text))).toBe(text);
  expect(readSeriesText("Room 1,5")).toEqual([{ label: "Room 1", value: 5 }]);
  expect(readSeriesText("2019,12")).toEqual([{ label: "2019", value: 12 }]);
});
