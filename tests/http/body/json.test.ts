import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError, type Issue } from "#lib/errors.ts";
import { parseJsonObject } from "#lib/http/body/json.ts";
import {
  ISSUE_LIMIT,
  JSON_DEPTH_LIMIT,
  JSON_NODE_LIMIT,
  JSON_NUMBER_CHARS,
  RENDER_BODY_LIMIT_BYTES,
} from "#lib/http/http-limits.ts";
import { processorMs } from "#tests/pace.ts";

function outcome(text: string | Uint8Array): { code: string; issues: Issue[] } {
  try {
    parseJsonObject(Buffer.from(text as string));
    return { code: "accepted", issues: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, issues: error.issues };
  }
}

function paths(text: string): string[] {
  return outcome(text).issues.map(({ path, code }) => `${code} ${path}`);
}

const code = (char: string) => char.charCodeAt(0);

describe("what is not JSON", () => {
  it.each([
    ["nothing", ""],
    ["blanks", "  \n"],
    ["a byte order mark", "\ufeff{}"],
    ["half an object", '{"a":1'],
    ["two objects", "{}{}"],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", "{} // no"],
    ["single quotes", "{'a':1}"],
    ["a raw line break in a string", '{"a":"\n"}'],
    ["a broken escape", '{"a":"\\u00"}'],
    ["an unknown escape", '{"\\x":1}'],
    ["NaN", '{"a":NaN}'],
    ["closers only", "]]]}}}"],
    ["an open string that ends in an escape", '{"a\\'],
  ])("%s is invalid_json", (_name, text) => {
    expect(outcome(text).code).toBe("invalid_json");
  });

  it.each([
    ["a lone continuation", [...'{"a":"'].map(code).concat(0x80, 0x22, 0x7d)],
    ["an overlong slash", [...'{"a":"'].map(code).concat(0xc0, 0xaf, 0x22, 0x7d)],
    ["an encoded surrogate", [...'{"a":"'].map(code).concat(0xed, 0xa0, 0x80, 0x22, 0x7d)],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])("%s is invalid_json", (_name, bytes) => {
    expect(outcome(Uint8Array.from(bytes)).code).toBe("invalid_json");
  });
});

describe("JSON that is not an object", () => {
  it.each(["null", "[]", "1", '"text"', "true", "1e400", '[{"a":1}]'])("%s is invalid_request", (text) => {
    expect(outcome(text).code).toBe("invalid_request");
  });
});

describe("keys", () => {
  it("are refused when they repeat, also where an escape hides that", () => {
    expect(paths('{"a":1,"b":{"c":1,"\\u0063":2},"a":3}')).toEqual(["repeated_key /b/c", "repeated_key /a"]);
    expect(paths('{"é":1,"\\u00e9":2}')).toEqual(["repeated_key /é"]);
    expect(paths(String.raw`{"a/b":1,"a\/b":2}`)).toEqual(["repeated_key /a~1b"]);
  });

  it("may repeat in different objects", () => {
    expect(outcome('{"a":{"a":1},"b":[{"a":1},{"a":2}]}').code).toBe("accepted");
  });

  it.each(["__proto__", "constructor", "prototype", "\\u005f_proto__", "c\\u006fnstructor", "\\u0070rototype"])(
    "are refused when they are %s, at any depth",
    (key) => {
      expect(outcome(`{"${key}":1}`).issues).toMatchObject([{ code: "forbidden_key" }]);
      expect(outcome(`{"a":[{"b":{"${key}":{}}}]}`).issues[0]?.path).toMatch(/^\/a\/0\/b\/\w+$/);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it("are checked behind escaped quotes, backslashes, brackets in strings and literals", () => {
    const before = String.raw`"a":"\"","b":"\\","c":"}{][,:","d":true,"e":[false,null,-1.5e3]`;
    expect(paths(`{${before},"prototype":1,"a":2}`)).toEqual(["forbidden_key /prototype", "repeated_key /a"]);
  });

  it("are named by JSON Pointers", () => {
    expect(paths('{"a/b":{"~":[0,{"prototype":1}]}}')).toEqual(["forbidden_key /a~1b/~0/1/prototype"]);
  });
});

describe("texts and numbers", () => {
  it("hold no NUL and no half of a surrogate pair", () => {
    expect(paths('{"a":"x\\u0000","b":["\\ud800","\\udc00 ","\\ud83d\\ud83d"],"\\u0000":1}')).toEqual([
      "invalid_character /a",
      "invalid_character /b/0",
      "invalid_character /b/1",
      "invalid_character /b/2",
      "invalid_character /\u0000",
    ]);
  });

  it("have a well-formed path where a key is not", () => {
    expect(paths('{"\\ud800":1}')).toEqual(["invalid_character /\ufffd"]);
  });

  it("may hold every other character", () => {
    expect(parseJsonObject(Buffer.from('{"a":"\\ud83d\\ude00😀\\u0001\\\\u0000"}'))).toEqual({
      a: "😀😀\u0001\\u0000",
    });
  });

  it("are no larger than a double", () => {
    expect(paths('{"a":[1e308,-1e400,1E+999]}')).toEqual(["number_out_of_range /a/1", "number_out_of_range /a/2"]);
  });
});

describe("bounds", () => {
  it("hold for nesting", () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(outcome(nested(JSON_DEPTH_LIMIT)).code).toBe("accepted");
    expect(outcome(nested(JSON_DEPTH_LIMIT + 1)).issues).toMatchObject([{ code: "too_deep" }]);
  });

  it("hold for keys and elements", () => {
    const elements = (count: number) => `{"a":[${Array(count).fill(0).join()}]}`;
    expect(outcome(elements(JSON_NODE_LIMIT - 1)).code).toBe("accepted");
    expect(outcome(elements(JSON_NODE_LIMIT)).issues).toMatchObject([{ code: "too_many_values" }]);
  });

  it("hold for the length of a number", () => {
    const number = (digits: number) => `{"a":[0.${"1".repeat(digits - 2)}]}`;
    expect(outcome(number(JSON_NUMBER_CHARS)).code).toBe("accepted");
    expect(outcome(number(JSON_NUMBER_CHARS + 1)).issues).toMatchObject([{ path: "/a/0", code: "number_too_long" }]);
  });

  it("hold for the faults that a response lists, and for the length of a quoted key", () => {
    const faulty = `{${Array.from({ length: 500 }, (_, index) => `"k${index}":"\\u0000"`).join()}}`;
    expect(outcome(faulty).issues).toHaveLength(ISSUE_LIMIT);
    expect(outcome(`{"${"k".repeat(1_000_000)}":"\\u0000"}`).issues[0]?.path.length).toBeLessThan(200);
  });
});

describe("the largest body", () => {
  const SIZE = RENDER_BODY_LIMIT_BYTES;

  /** Processor time that one body may hold the event loop for. Most take a fifth of it. */
  const LIMIT_MS = 500;

  it.each<[string, () => string, string]>([
    ["100,000 levels of arrays", () => "[".repeat(100_000), "invalid_request"],
    ["100,000 levels of objects", () => '{"a":'.repeat(100_000), "invalid_request"],
    ["nothing but brackets", () => "[".repeat(SIZE), "invalid_request"],
    ["nothing but closing brackets", () => "]".repeat(SIZE), "invalid_json"],
    ["1,000,000 keys", () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":1`)}}`, "invalid_request"],
    ["nothing but colons", () => `{${":".repeat(SIZE)}`, "invalid_json"],
    ["keys without values", () => `{${'"a":'.repeat(SIZE / 4)}`, "invalid_json"],
    ["strings without commas", () => `[${'""'.repeat(SIZE / 2)}`, "invalid_json"],
    ["one number", () => `{"a":${"1".repeat(SIZE)}}`, "invalid_request"],
    ["blanks", () => `{"a":1${" ".repeat(SIZE - 7)}}`, "accepted"],
    ["line breaks", () => `{"a":1${"\n".repeat(SIZE - 7)}}`, "accepted"],
    ["one string of escapes", () => `{"a":"${"\\n".repeat(SIZE / 2 - 4)}"}`, "accepted"],
    ["one string of escaped quotes", () => `{"a":"${'\\"'.repeat(SIZE / 2 - 4)}"}`, "accepted"],
    ["one string of Unicode escapes", () => `{"a":"${"\\u0041".repeat(SIZE / 6 - 2)}"}`, "accepted"],
    ["one string without an end", () => `{"a":"${"x".repeat(SIZE - 6)}`, "invalid_json"],
  ])("of %s does not hold the event loop", (_name, make, code) => {
    const bytes = Buffer.from(make());
    const before = processorMs();
    expect(outcome(bytes).code).toBe(code);
    expect(processorMs() - before).toBeLessThan(LIMIT_MS);
  });
});

describe("any value", () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("node")),
      tie("object"),
    ),
    object: fc.dictionary(
      fc.string().filter((key) => !/^(__proto__|constructor|prototype)$|\0/.test(key)),
      tie("node"),
    ),
  })).object;

  it("is what JSON.parse makes of it", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (given, indent) => {
        const text = JSON.stringify(given, null, indent);
        expect(parseJsonObject(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("never causes another error", () => {
    const fragments = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "\\u",
        "u0000",
        "d800",
        "1",
        "-",
        "e9",
        "null",
        " ",
        "é",
        "__proto__",
      ),
    );
    const isOurs = (input: string | Uint8Array) =>
      /^(accepted|invalid_json|invalid_request)$/.test(outcome(input).code);
    fc.assert(fc.property(fragments, (parts) => isOurs(parts.join(""))));
    fc.assert(fc.property(fc.uint8Array(), isOurs));
  });
});
