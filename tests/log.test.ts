import { Writable } from "node:stream";
import { styleText } from "node:util";
import { expect, it } from "vitest";
import { createLog, toText } from "#lib/log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = "";
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  write(createLog(destination, "info"));
  return text;
}

it("names the level of a line of JSON, and has its time", () => {
  const line = logged((log) => log.warn({ port: 3000 }, "Look."));
  expect(JSON.parse(line)).toEqual({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    port: 3000,
    msg: "Look.",
  });
});

it("writes a line of text with time, level, message and facts, and the stack of an error below", () => {
  const facts = { reason: "two words", port: 3000, code: "E1" };
  const line = logged((log) => log.warn({ ...facts, err: new Error("broken") }, "Look."));
  const [head, first, second] = toText(line).split("\n");
  expect(head).toMatch(/^\d\d:\d\d:\d\d WARN {2}Look\. reason="two words" port=3000 code=E1$/);
  expect(first).toBe("    Error: broken");
  expect(second).toMatch(/^ {4}at /);
});

it("writes no character of a fact that a terminal obeys", () => {
  const line = logged((log) => log.info({ a: "\u001b[2J", b: "\u009b2J", c: "\u202efdp.exe", d: "déjà" }, "Look."));
  expect(toText(line)).toMatch(/ a="\\u001b\[2J" b="\\u009b2J" c="\\u202efdp\.exe" d=déjà\n$/);
});

it("writes JSON without a character that a terminal obeys, and with the same meaning", () => {
  const strange = "\u001b[2J\u009b2J\u007f\u0085\u202eabc\u2028\u2066 déjà";
  const line = logged((log) => log.info({ [strange]: strange }, strange));
  expect(line).not.toMatch(/(?!\n)\p{Cc}|[\u2028-\u202e\u2066-\u2069]|\n./u);
  expect(JSON.parse(line)).toMatchObject({ [strange]: strange, msg: strange });
});

it("writes the type, message, stack and code of an error and of its cause, and none of its objects", () => {
  const cause = new Error("nothing listens there");
  const request = { headers: { authorization: "Bearer secret" } };
  const error = Object.assign(new TypeError("broken", { cause }), { code: "E1", emitter: { req: request } });
  const line = logged((log) => log.warn({ err: error }, "Look."));
  const { err } = JSON.parse(line);
  expect(err).toEqual({
    type: "TypeError",
    message: "broken: nothing listens there",
    stack: expect.stringContaining("caused by: Error: nothing listens there"),
    code: "E1",
  });
});

it("writes a thrown value that is no error", () => {
  expect(JSON.parse(logged((log) => log.warn({ err: "broken" }, "Look.")))).toMatchObject({ err: "broken" });
});

it("colours nothing but the level, where it is asked to", () => {
  const line = logged((log) => log.error("Look."));
  const [time = "", rest] = toText(line, { isColored: true }).split(" ", 2);
  expect(time).toMatch(/^[\d:]+$/);
  expect(rest).toBe(styleText("red", "ERROR", { validateStream: false }));
  expect(toText(line)).toBe(`${time} ERROR Look.\n`);
});

it("shows a terminal nothing that it obeys, and no line that is none of the log's", () => {
  const strange = "\u001b[2J\u009b2J\u0007\u007f\u202eabc\u2066";
  const line = logged((log) =>
    log.error(
      { [strange]: strange, err: new Error(`${strange}\n08:03:11 INFO answered`) },
      `${strange}\n08:03:11 INFO answered`,
    ),
  );
  const text = toText(line);
  expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
  expect(text).toContain("\\u001b[2J\\u009b2J\\u0007\\u007f\\u202eabc\\u2066");
  expect(text.split("\n").filter((each) => /^\S/.test(each))).toHaveLength(1);
});
