import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMessage, encodeMessage } from "#lib/render/chromium/cbor.ts";
import { pipeTransport } from "#lib/render/chromium/pipe.ts";
import type { Message } from "#lib/render/chromium/transport.ts";

const name = fc.string({ unit: "binary" }).filter((text) => text !== "__proto__");
const message: fc.Arbitrary<Message> = fc.dictionary(
  name,
  fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<unknown>,
  { noNullPrototype: true },
);

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

function envelope(content: Buffer): Buffer {
  const head = Buffer.from([0xd8, 0x18, 0x5a, 0, 0, 0, 0]);
  head.writeUInt32BE(content.length, 3);
  return Buffer.concat([head, content]);
}

function pipe() {
  const output = new PassThrough();
  const transport = pipeTransport({ input: new PassThrough(), output });
  const received: unknown[] = [];
  const garbage: unknown[] = [];
  transport.onMessage = (got) => received.push(got);
  transport.onGarbage = (cause) => garbage.push(cause);
  return { output, received, garbage };
}

test("what JSON can hold comes back as it was", () => {
  fc.assert(
    fc.property(message, (given) => {
      expect(decodeMessage(encodeMessage(given))).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

describe("what a browser sends", () => {
  test("may be text in UTF-16, which stands untagged among bytes", () => {
    const text = Buffer.from("東京 😀", "utf16le");
    const message = Buffer.concat([hex("bf 61 61"), Buffer.from([0x40 + text.length]), text, hex("ff")]);
    expect(decodeMessage(envelope(message))).toEqual({ a: "東京 😀" });
  });

  test("may be binary, which comes as its bytes", () => {
    expect(decodeMessage(envelope(hex("bf 61 61 d6 43 00 ff 10 ff")))).toEqual({ a: Buffer.from([0, 255, 16]) });
  });

  test("may be numbers of every length", () => {
    const numbers = "9f 17 18 ff 19 ffff 1a ffffffff 20 38 63 fb 3ff8000000000000 ff";
    expect(decodeMessage(envelope(hex(`bf 61 61 ${numbers} ff`)))).toEqual({
      a: [23, 255, 65_535, 4_294_967_295, -1, -100, 1.5],
    });
  });

  test.for([
    ["cut off", "bf 61 61 43 00"],
    ["more than one value", "bf ff bf ff"],
    ["a length without end", "bf 61 61 5f ff"],
    ["a byte that starts no value", "bf 61 61 f7 ff"],
    ["longer than it is", "bf 61 61 5a ffffffff 00 ff"],
    ["nested without end", "9f ".repeat(100_000)],
    ["envelopes without end", "d8 18 5a 00000000 ".repeat(200_000)],
  ] as const)("is refused when it is %s", ([, bytes]) => {
    expect(() => decodeMessage(envelope(hex(bytes)))).toThrow(/^(Got|Want|The value)/);
  });
});

describe("a pipe", () => {
  test("gives every message whole, however it is cut", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        (given, cuts) => {
          const { output, received, garbage } = pipe();
          let bytes = Buffer.concat(given.map(encodeMessage));
          for (let turn = 0; bytes.length > 0; turn++) {
            const length = 1 + (cuts[turn % cuts.length] ?? 0);
            output.emit("data", bytes.subarray(0, length));
            bytes = bytes.subarray(length);
          }
          expect(received).toEqual(given.map((one) => JSON.parse(JSON.stringify(one))));
          expect(garbage).toEqual([]);
        },
      ),
    );
  });

  test("says once that what came is no message, and reads nothing after it", () => {
    const { output, received, garbage } = pipe();
    output.emit("data", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
    output.emit("data", encodeMessage({ id: 1 }));
    expect(garbage).toHaveLength(1);
    expect(received).toEqual([]);
  });
});
