import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMessage, encodeMessage } from "#lib/render/chromium/cbor.ts";
import { BrowserConnection } from "#lib/render/chromium/connection.ts";
import { pipeTransport } from "#lib/render/chromium/pipe.ts";

const name = fc.string({ unit: "binary" }).filter((text) => text !== "__proto__");
const message: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(
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
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = pipeTransport({ input, output });
  const received: unknown[] = [];
  const faults: unknown[] = [];
  transport.onmessage = (text) => received.push(JSON.parse(text));
  transport.onclose = (fault) => faults.push(fault);
  return { transport, input, output, received, faults };
}

const decode = (message: Buffer) => decodeMessage(message, (bytes) => bytes);

test("every value that JSON can hold is decoded as it was encoded", () => {
  fc.assert(
    fc.property(message, (given) => {
      expect(decode(encodeMessage(given))).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

describe("a message of a browser", () => {
  test("may hold text in UTF-16, as a byte string without a tag", () => {
    const text = Buffer.from("東京 😀", "utf16le");
    const message = Buffer.concat([hex("bf 61 61"), Buffer.from([0x40 + text.length]), text, hex("ff")]);
    expect(decode(envelope(message))).toEqual({ a: "東京 😀" });
  });

  test("may hold a binary value, which is decoded as its bytes", () => {
    expect(decode(envelope(hex("bf 61 61 d6 43 00 ff 10 ff")))).toEqual({ a: Buffer.from([0, 255, 16]) });
  });

  test("may hold numbers of every length", () => {
    const numbers = "9f 17 18 ff 19 ffff 1a ffffffff 20 38 63 fb 3ff8000000000000 ff";
    expect(decode(envelope(hex(`bf 61 61 ${numbers} ff`)))).toEqual({
      a: [23, 255, 65_535, 4_294_967_295, -1, -100, 1.5],
    });
  });

  test.for([
    ["cut off", "bf 61 61 43 00"],
    ["more than one value", "bf ff bf ff"],
    ["a string without a length", "bf 61 61 5f ff"],
    ["a byte that starts no value", "bf 61 61 f7 ff"],
    ["shorter than it says", "bf 61 61 5a ffffffff 00 ff"],
    ["nested without end", "9f ".repeat(100_000)],
    ["envelopes without end", "d8 18 5a 00000000 ".repeat(200_000)],
  ] as const)("is refused when it is %s", ([, bytes]) => {
    expect(() => decode(envelope(hex(bytes)))).toThrow(/^(Got|The value)/);
  });
});

describe("a pipe", () => {
  test("delivers every message complete, however its bytes are split", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        (given, cuts) => {
          const { output, received, faults } = pipe();
          let bytes = Buffer.concat(given.map(encodeMessage));
          for (let turn = 0; bytes.length > 0; turn++) {
            const length = 1 + (cuts[turn % cuts.length] ?? 0);
            output.emit("data", bytes.subarray(0, length));
            bytes = bytes.subarray(length);
          }
          expect(received).toEqual(given.map((one) => JSON.parse(JSON.stringify(one))));
          expect(faults).toEqual([]);
        },
      ),
    );
  });

  test("encodes what puppeteer-core sends", () => {
    const { transport, input } = pipe();
    transport.send(JSON.stringify({ id: 1, method: "Page.enable", params: { text: "東京" } }));
    expect(decode(input.read())).toEqual({ id: 1, method: "Page.enable", params: { text: "東京" } });
  });

  test("keeps a binary value out of the JSON, and gives it to the first who asks", () => {
    const { transport, output, received } = pipe();
    output.emit("data", envelope(hex("bf 61 61 d6 43 00 ff 10 61 62 d6 41 07 ff")));
    const [{ a, b }] = received as [{ a: string; b: string }];
    expect(transport.takeBytes?.(b)).toEqual(Buffer.from([7]));
    expect(transport.takeBytes?.(a)).toEqual(Buffer.from([0, 255, 16]));
    expect(transport.takeBytes?.(a)).toBeUndefined();
  });

  test("reports bytes that are no message once, and reads nothing after them", () => {
    const { output, received, faults } = pipe();
    output.emit("data", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
    output.emit("data", encodeMessage({ id: 1 }));
    expect(faults).toEqual([expect.any(Error)]);
    expect(received).toEqual([]);
  });
});

test("a command whose signal has aborted is not sent", async () => {
  const sent: string[] = [];
  const connection = new BrowserConnection({ send: (text) => void sent.push(text), close: () => undefined });
  const reason = new Error("The client disconnected.");
  const { send } = connection.commands(AbortSignal.abort(reason));
  await expect(send("Browser.getVersion")).rejects.toBe(reason);
  expect(sent).toEqual([]);
  connection.close(new Error("The test is over."));
});
