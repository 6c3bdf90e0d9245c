import { expect, it } from "vitest";
import { ScriptRuns } from "#lib/type/faces/script-runs.ts";

const runs = new ScriptRuns({ Han: "漢字", Hebrew: "שלום", Greek: "λόγος" });

const scriptsOf = (text: string) =>
  runs.of({ text, language: "", isCode: false }).map(({ start, end, script }) => [text.slice(start, end), script]);

it.each([
  [
    "12 漢字",
    [
      ["12 ", "Latin"],
      ["漢字", "Han"],
    ],
  ],
  ["12 שלום", [["12 שלום", "Hebrew"]]],
  ["12 λόγος", [["12 λόγος", "Greek"]]],
  ["12 34", [["12 34", "Latin"]]],
])(
  "the numbers of %s belong to Latin, or to the letters after them if those have figures of their own",
  (text, wanted) => {
    expect(scriptsOf(text)).toEqual(wanted);
  },
);
