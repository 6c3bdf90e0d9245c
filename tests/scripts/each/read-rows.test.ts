import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type FieldDeclaration, fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { readRows } from "#scripts/render/each/read-rows.ts";
import { convertCell, dataOf } from "#scripts/render/each/row-data.ts";

const folder = mkdtempSync(join(tmpdir(), "platen-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string | Buffer, name = "people.csv") {
  writeFileSync(join(folder, name), text);
  return readRows(join(folder, name));
}

describe("a CSV file", () => {
  test("has quotes, line ends of Windows, a byte order mark, and empty cells that are absent", () => {
    const { columns, rows, isText } = read(
      '\ufeffname,role\r\n"Ada ""A."", Lovelace","Two\r\nlines"\r\n\r\nBo, \r\n,\r\n',
    );
    expect([columns, isText]).toEqual([["name", "role"], true]);
    expect(rows).toEqual([
      { row: 1, line: 2, cells: { name: 'Ada "A.", Lovelace', role: "Two\nlines" } },
      { row: 2, line: 5, cells: { name: "Bo" } },
    ]);
  });

  test.each([";", "\t"])("may separate its cells by %j", (separator) => {
    const text = `"name, in full"${separator}role\nAda, Countess${separator}x`;
    expect(read(text).rows[0]?.cells).toEqual({ "name, in full": "Ada, Countess", role: "x" });
  });

  test("may be UTF-16, as spreadsheets write", () => {
    const text = Buffer.from("\ufeffname\tn\nЖанна\t1\n", "utf16le");
    expect(read(text).rows[0]?.cells).toEqual({ name: "Жанна", n: "1" });
  });

  test("has the fault of a row with too many cells in that row", () => {
    const [first, second] = read("name,role\nAda,Countess, of Lovelace\nBo,x").rows;
    expect(first?.fault).toBe("Got 3 cells, want 2. Put quotes around a cell with a separator in it.");
    expect(second).toEqual({ row: 2, line: 3, cells: { name: "Bo", role: "x" } });
  });

  test("may have empty columns without a name at its end, as spreadsheets write", () => {
    expect(read("name,,\nAda,,\n").columns).toEqual(["name"]);
    expect(() => read("name,,\nAda,,x\n")).toThrow("Column 2 of");
  });

  test("that is missing is told so", () => {
    expect(() => readRows(join(folder, "peple.csv"))).toThrow("There is no file");
  });

  test.each([
    ["in another encoding", Buffer.from([0x6e, 0x0a, 0xe9]), 'is not UTF-8. Save it as "CSV UTF-8".'],
    ["without rows", "name\n", "has no rows"],
    ["with a column twice", "a,a\n1,2", 'has the column "a" twice'],
    ["with a column without a name", "a,,b\n1,2,3", "Column 2 of"],
    [
      "with an open quote",
      'a\n1\n"x\ny\n',
      "from line 3: A cell of this line begins with a quote and has no closing one.",
    ],
    [
      "with a quote inside a cell",
      'a\nAda "Ace"\n',
      "from line 2: A cell has a quote, but does not begin with one. Write a",
    ],
    ["with text after a quoted cell", 'a\n"Ada" Ace\n', "from line 2: A cell goes on after its closing quote."],
  ])("%s is refused", (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

test("JSON lines have values of any type, and the fault of a line is in its row", () => {
  const { columns, rows, isText } = read('{"name":"Ada","n":1}\n\n[1]\n{"x":\n{"name":null}\n', "people.jsonl");
  expect([columns, isText]).toEqual([["name", "n"], false]);
  expect(rows.map(({ line, cells, fault }) => [line, cells, fault?.slice(0, 20)])).toEqual([
    [1, { name: "Ada", n: 1 }, undefined],
    [3, {}, "Want a JSON object i"],
    [4, {}, "The line is not JSON"],
    [5, { name: null }, undefined],
  ]);
});

test("JSON that the service refuses is a fault of its row: the last of two equal keys would be drawn in silence", () => {
  const [twice, half] = read('{"name":"Ada","name":"Bo"}\n{"name":"\\ud800"}\n', "people.jsonl").rows;
  expect(twice?.fault).toBe("/name Got this key more than once, want it once.");
  expect(half?.fault).toContain("/name Got half of a surrogate pair");
  const rows = field({ type: "list", max: 3, item: { name: { type: "text", label: "Name" } } });
  expect(() => convertCell('[{"name":"Ada","name":"Bo"}]', rows)).toThrow("/0/name Got this key more than once");
});

const field = (rest: object): FieldDeclaration => fieldDeclaration.parse({ label: "Label", ...rest });

test.each([
  [{ type: "number" }, " 12.50 ", 12.5],
  [{ type: "number" }, "-1e3", -1000],
  [{ type: "number" }, "twelve", "twelve"],
  [{ type: "money", currency: "EUR" }, "12.5", 12.5],
  [{ type: "boolean" }, "Yes", true],
  [{ type: "boolean" }, "0", false],
  [{ type: "boolean" }, "maybe", "maybe"],
  [{ type: "boolean" }, "constructor", "constructor"],
  [{ type: "text" }, "007", "007"],
  [{ type: "text" }, '{"a":1}', '{"a":1}'],
])("for a field %j, the cell %j is %j", (declaration, cell, wanted) => {
  expect(convertCell(cell, field(declaration))).toBe(wanted);
});

test("a cell of code that looks like an object is code, unless it names a key of such fields", () => {
  const code = field({ type: "code", label: "Code", language: "json" });
  for (const cell of ['{"name": "platen"}', "{}", '{"a": 1, "a": 2}', "{ color: red }"])
    expect(convertCell(cell, code)).toBe(cell);
  expect(convertCell('{"text": "{}", "lines": "1"}', code)).toEqual({ text: "{}", lines: "1" });
});

test.each(["12,5", "1.234,50", "1,234.50", "1 234"])("the number %s is refused with what to write", (cell) => {
  for (const declaration of [{ type: "number" }, { type: "money", currency: "EUR" }])
    expect(() => convertCell(cell, field(declaration))).toThrow(
      `Got "${cell}" for "Label", want a decimal point and no separators, such as 1234.5.`,
    );
});

test("every cell of a row that cannot be used is told", () => {
  const fields = { price: field({ type: "number" }), photo: field({ type: "image" }), name: field({ type: "text" }) };
  const row = {
    cells: { price: "1,5", photo: "missing.png", name: "Ada" },
    fields,
    tableFile: join(folder, "people.csv"),
  };
  const told = () => dataOf({ ...row, table: { isText: true, columns: Object.keys(fields) } });
  expect(told).toThrow(/^Got "1,5" for "Label", want a decimal point .* "missing\.png" cannot be read/);
});

test("an empty cell empties its field, unless a field of every row or a required default is there instead", () => {
  const fields = {
    name: field({ type: "text", required: true }),
    role: field({ type: "text", default: "Guest" }),
    team: field({ type: "text" }),
    paper: field({ type: "color", required: true, default: "#fff" }),
  };
  const row = { cells: {}, fields, tableFile: "people.csv", shared: { team: "Red", name: "Ada" } };
  const columns = [...Object.keys(fields), "variant"];
  expect(dataOf({ ...row, table: { isText: true, columns } })).toEqual({ name: "Ada", role: null, team: "Red" });
  expect(dataOf({ ...row, table: { isText: false, columns } })).toEqual({ name: "Ada", team: "Red" });
});

describe("a cell of an image", () => {
  const dataWith = (photo: string) =>
    dataOf({
      cells: { photo, other: "x" },
      fields: { photo: field({ type: "image" }) },
      table: { isText: true, columns: [] },
      tableFile: join(folder, "people.csv"),
    });

  test("may be a file beside the table", () => {
    writeFileSync(join(folder, "ada.png"), "PNG");
    expect(dataWith("ada.png")).toEqual({ photo: `data:image/png;base64,${Buffer.from("PNG").toString("base64")}` });
    expect(dataWith("https://example.com/a.png")).toEqual({ photo: "https://example.com/a.png" });
  });

  test("may be JSON with such a file, its focus and zoom, also in the items of a list", () => {
    writeFileSync(join(folder, "ada.png"), "PNG");
    const url = `data:image/png;base64,${Buffer.from("PNG").toString("base64")}`;
    const crop = { focus: { x: 0.2, y: 0.8 }, zoom: 2 };
    expect(dataWith(JSON.stringify({ src: "ada.png", ...crop }))).toEqual({ photo: { src: url, ...crop } });
    expect(() => dataWith('{ "src": "missing.png" }')).toThrow("cannot be read");
    const item = { shot: { type: "image", label: "Shot" }, note: { type: "text", label: "Note" } };
    const rows = dataOf({
      cells: { rows: JSON.stringify([{ shot: "ada.png", note: "ada.png" }, { shot: { src: "ada.png" } }, 3]) },
      fields: { rows: field({ type: "list", item, max: 3 }) },
      table: { isText: true, columns: [] },
      tableFile: join(folder, "people.csv"),
    });
    expect(rows).toEqual({ rows: [{ shot: url, note: "ada.png" }, { shot: { src: url } }, 3] });
  });

  test("is neither a pipe, which would be waited for, nor of a type that only every object has", () => {
    execFileSync("mkfifo", [join(folder, "pipe.png")]);
    expect(() => dataWith("pipe.png")).toThrow('"pipe.png" is not a file.');
    writeFileSync(join(folder, "secret.constructor"), "PNG");
    expect(dataWith("secret.constructor")).toEqual({ photo: "secret.constructor" });
  });

  test("is no file outside the folder of the table", () => {
    expect(() => dataWith("../../../../../../work/x.png")).toThrow("cannot be read");
    writeFileSync(join(folder, "..", "platen-outside.png"), "PNG");
    try {
      expect(() => dataWith("../platen-outside.png")).toThrow("is outside the folder of the table");
    } finally {
      rmSync(join(folder, "..", "platen-outside.png"));
    }
  });
});
