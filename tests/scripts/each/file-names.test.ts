import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNames, folderOf, safeName } from "#scripts/render/each/file-names.ts";

const rowsOf = (...names: unknown[]) =>
  names.map((name, index) => ({ row: index + 1, line: index + 2, cells: { name } }));
const namesOf = (...names: unknown[]) => fileNames("badges/{name}.png", rowsOf(...names));

describe("the file of a row", () => {
  test.each([
    ["Zoë O’Neill", "Zoë O’Neill"],
    ["../../etc/passwd", "etc-passwd"],
    ["a\\b:c*d", "a-b-c-d"],
    [".hidden", "hidden"],
    ["-rf", "rf"],
    ["line\nbreak\tand\0nul", "line-break-and-nul"],
    ["\u202egnp.exe", "gnp.exe"],
    ["con", "_con"],
    ["LPT1.txt", "_LPT1.txt"],
    ["trailing. ", "trailing"],
    ["..", "row-1"],
    ["", "row-1"],
    [undefined, "row-1"],
    [7, "7"],
  ])("of %j is %s", (value, wanted) => {
    expect(namesOf(value)).toEqual([`badges/${wanted}.png`]);
  });

  test("never leaves the folder, whatever the cell holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const [file = ""] = namesOf(value);
        expect(file).toMatch(/^badges\/[^/\\\p{Cc}]+\.png$/u);
        expect(Buffer.byteLength(file)).toBeLessThan(220);
      }),
    );
  });

  test("is cut between letters, below what file systems allow", () => {
    const name = safeName("👩‍👩‍👧‍👦".repeat(50));
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name.replaceAll("👩‍👩‍👧‍👦", "")).toBe("");
  });

  test("has a number where another row has the name, in any case", () => {
    expect(namesOf("Anna", "anna", "anna-2", "ANNA")).toEqual(
      ["Anna", "anna-3", "anna-2", "ANNA-4"].map((name) => `badges/${name}.png`),
    );
  });

  test("may name folders by columns, and rows by their number", () => {
    const rows = [{ row: 1, line: 2, cells: { team: "R/D" } }];
    expect(fileNames("out/{team}/{row}.png", rows)).toEqual(["out/R-D/1.png"]);
    expect(["out/{team}/{row}.png", "{name}.png", "/{name}.png", "a/b/c-{row}.png"].map(folderOf)).toEqual([
      "out",
      ".",
      "/",
      "a/b",
    ]);
  });

  test("has to be a PNG", () => {
    expect(() => fileNames("{name}.jpg", rowsOf("x"))).toThrow('Got -o "{name}.jpg", want a pattern such as');
  });
});
