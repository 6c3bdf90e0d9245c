import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchedCode, postRender } from "#tests/e2e/answers.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { MALFORMED, OPEN, VALID } from "./json-cases.ts";
import { NOT_UTF8 } from "./utf8-cases.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service?.stop();
});

/** A body whose only edit is a JSON text. */
const inData = (text: string) => `{"template":"blog/article","data":{"title":${text}}}`;

/** "picture", or the code of the error. The same body is sent three times at once and must get one answer. */
async function outcome(body: BodyInit): Promise<string> {
  const answers = await Promise.all(
    [1, 2, 3].map(async () => {
      const response = await postRender(service, body);
      if (response.status !== 200) return await fetchedCode(response);
      const png = Buffer.from(await response.arrayBuffer());
      expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
      return "picture";
    }),
  );
  expect(new Set(answers).size).toBe(1);
  return answers[0] as string;
}

describe("a valid JSON text", () => {
  it.each(VALID)("%j as a value of data is rendered, or refused as data", async (text) => {
    const isText = typeof JSON.parse(text) === "string";
    // A value may still be wrong for its field: no text, an empty one, or one with a control character.
    const refused = isText ? ["picture", "invalid_data"] : ["invalid_data"];
    const isEmpty = text === "null";
    expect(isEmpty ? ["invalid_data", "picture"] : refused).toContain(await outcome(inData(text)));
  });

  it.each(VALID)("%j as the whole body is refused for its shape", async (text) => {
    expect(await outcome(text)).toBe("invalid_request");
  });
});

describe("a malformed JSON text", () => {
  it.each(MALFORMED)("%j as a value of data is refused", async (text) => {
    expect(await outcome(inData(text))).toMatch(/^invalid_json$|^invalid_request$/);
  });

  it.each(MALFORMED)("%j as the whole body is refused", async (text) => {
    expect(await outcome(text)).toMatch(/^invalid_json$|^invalid_request$/);
  });
});

describe("a JSON text that a parser may refuse", () => {
  it.each(OPEN)("%j is no fault of the service", async (text) => {
    expect(await outcome(inData(text))).toMatch(/^invalid_(?:json|request|data)$|^picture$/);
    expect(await outcome(text)).toMatch(/^invalid_(?:json|request)$/);
  });
});

describe("bytes that are not UTF-8", () => {
  it.each(NOT_UTF8.map((bytes) => [Buffer.from(bytes).toString("hex"), bytes] as const))(
    "%s is refused",
    async (_hex, bytes) => {
      const [before, after] = inData('"\0"').split("\0") as [string, string];
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
      expect(await outcome(new Uint8Array(body))).toBe("invalid_json");
    },
  );
});
