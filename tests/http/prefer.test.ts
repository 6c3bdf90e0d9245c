import { describe, expect, it } from "vitest";
import { prefersStrict } from "#lib/http/route/prefer.ts";
import { processorMs } from "#tests/pace.ts";

const isStrict = (prefer: string) => prefersStrict(new Request("http://x/", { headers: { prefer } }));

describe("the preference for strict handling", () => {
  it.each([
    "handling=strict",
    "Handling=Strict",
    'handling="strict"',
    "handling = strict",
    "  handling=strict  ",
    "respond-async, handling=strict",
    "respond-async;foo=bar; baz , handling=strict;x",
    'return="a, handling=lenient" , handling=strict',
    ",, handling=strict,",
    "handling=strict, handling=lenient",
    'foo; some-parameter="\\"", handling=strict',
  ])("is read from: %s", (header) => {
    expect(isStrict(header)).toBe(true);
  });

  it.each([
    "",
    "handling",
    "handling=",
    'handling=""',
    "handling=lenient",
    "handling=lenient, handling=strict",
    "handling=strictly",
    "strict",
    "foo;handling=strict",
    'foo="handling=strict"',
    "x-handling=strict",
  ])("is not read from: %s", (header) => {
    expect(isStrict(header)).toBe(false);
  });

  it.each([
    "handling=strict, =",
    "handling=strict; ;; =x",
    "handling==strict",
    "handling=strict foo",
    'handling="strict',
    "(handling=strict)",
    "handling=strict, foo=bar=baz",
  ])("is ignored, with everything else, where the header is malformed: %s", (header) => {
    expect(isStrict(header)).toBe(false);
  });

  it.each([" ", ";", "; ", "a;  ", "a=, ", '"', "a\t", 'a="\\'])(
    "is looked for in no time, however long the header: %j",
    (part) => {
      const before = processorMs();
      isStrict(`a${part.repeat(Math.floor(16_000 / part.length))}(`);
      expect(processorMs() - before).toBeLessThan(100);
    },
  );
});
