import { expect, test } from "vitest";
import { UprightCells } from "#lib/type/fit/upright-cells.ts";

const cells = new UprightCells();

test.each([
  ["令和8年", [["8"]]],
  ["12月24日", [["12"], ["24"]]],
  ["2026年", [["2", "0", "2", "6"]]],
  ["100%の力", [["1", "0", "0", "%"]]],
  [
    "NHKとA4",
    [
      ["N", "H", "K"],
      ["A", "4"],
    ],
  ],
  ["x軸", [["x"]]],
  ["驚く!?", [["!?"]]],
  ["家族👩‍👩‍👧‍👦と🇯🇵", [["👩‍👩‍👧‍👦"]]],
  ["一七〇一年-762年", [["7", "6", "2"]]],
])("in %s, short numbers, acronyms and joined emoji stand upright", (text, expected) => {
  expect(cells.runsIn(text).map((run) => run.cells)).toEqual(expected);
});

test.each([
  "Platenで",
  "18:30開演",
  "¥500",
  "1,200円",
  "電話0312345678",
  "UNESCO",
  "New York 12",
  "Wow!と",
  "-5度",
  "零.5",
])("in %s, words and compound numbers lie on their side", (text) => {
  expect(cells.runsIn(text)).toEqual([]);
});

test("in a language that is seldom set vertically, only joined emoji stand upright", () => {
  expect(cells.runsIn("Room 12 👩‍👩‍👧‍👦 at 8", false).map((run) => run.cells)).toEqual([["👩‍👩‍👧‍👦"]]);
});
