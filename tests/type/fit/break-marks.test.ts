import { expect, test } from "vitest";
import { BreakMarks } from "#lib/type/fit/break-marks.ts";
import { letters } from "./letters.ts";

/** The mark at the break that a bar stands for. */
function markIn(text: string, base: "ltr" | "rtl"): string {
  const at = Array.from(text).indexOf("|");
  const mark = new BreakMarks().markAt(letters(text.replace("|", "")), at, base);
  return { "": "none", "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM" }[mark] ?? mark;
}

test.each([
  ["Latin words on both sides", "فوز Rovers! |United", "rtl", "LRM"],
  ["Latin words on both sides", "Rovers! |United", "ltr", "none"],
  ["Hebrew words on both sides", "Rovers אתמול! |היפה", "ltr", "RLM"],
  ["words of both directions", "فوز Rovers! |أمس", "rtl", "none"],
  ["a number after Arabic letters", "فوز |2-1", "rtl", "ALM"],
  ["a number after Arabic letters and another number", "فوز 10 |2-1", "ltr", "ALM"],
  ["a Persian number after Persian letters", "امروز |۲-۱", "rtl", "ALM"],
  ["an Arabic number, behind which a European one follows", "فوز |٪٥٠، 10-12", "rtl", "ALM"],
  ["a number after an elongated letter", "1447هـ |2-1", "rtl", "ALM"],
  ["a number after an Arabic question mark", "Rovers؟ |2-1", "ltr", "ALM"],
  ["a number after the full stop of Urdu", "Rovers۔ |2-1", "rtl", "ALM"],
  ["a number after Syriac letters", "ܫܠܡܐ |2-1", "rtl", "ALM"],
  ["a number after Thaana letters", "ދިވެހި |2-1", "rtl", "ALM"],
  ["a number after Hebrew letters", "אתמול |2-1", "rtl", "none"],
  ["a number after Hebrew letters", "Rovers אתמול |2-1", "ltr", "RLM"],
  ["a number after letters of N'Ko", "ߒߞߏ |2-1", "rtl", "none"],
  ["a number after letters of Adlam", "𞤀𞤣𞤤𞤢𞤥 |2-1", "rtl", "none"],
  ["a number after Latin letters", "فوز Rovers |2-1", "rtl", "LRM"],
  ["a number after Latin letters and an Arabic number", "فوز Rovers ٢ |2-1", "rtl", "LRM"],
  ["a number after a mark of the author", "فوز \u200e|2-1", "rtl", "LRM"],
  ["an Arabic number after Latin letters", "فوز Rovers! |٢-١ Rovers", "rtl", "none"],
  ["Latin letters after an Arabic number", "فوز Rovers (٢) |United", "rtl", "none"],
  ["a number after no letter", "2-1 |2-1", "rtl", "none"],
  ["a number after letters of another paragraph", "فوز\n2-1 |2-1", "rtl", "none"],
  ["a number before letters of another paragraph", "فوز Rovers! |!\nUnited", "rtl", "none"],
] as const)("the mark at a break: %s, %s (%s)", (_, text, base, wanted) => {
  expect(markIn(text, base)).toBe(wanted);
});

test("the mark at a break: a number after letters before a break of the template", () => {
  const atoms = letters("فوز2-1 2-1").map((atom, index) => ({ ...atom, isForced: index === 2 }));
  expect(new BreakMarks().markAt(atoms, 7, "rtl")).toBe("");
});
