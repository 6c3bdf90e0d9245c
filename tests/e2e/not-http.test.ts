import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, expectPicture, nestedTemplate, RENDER } from "./answers.ts";
import { exchangeRaw, RawConnection, type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service?.stop();
});

describe("what is not HTTP", () => {
  it.each([
    ["garbage", "\x16\x03\x01\x02\x00\r\n\r\n"],
    ["another protocol", "SSH-2.0-x\r\n\r\n"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["headers of 20 kB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a host that is none", "GET /healthz HTTP/1.1\r\nHost: a/b@c\r\n\r\n"],
    ["an empty host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"],
    [
      "a broken chunk",
      `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])("%s is refused with invalid_request", async (_name, bytes) => {
    const connection = new RawConnection(service.port).send(bytes);
    expect(codeOf(await connection.firstAnswer())).toBe("invalid_request");
  });

  it("a body with another transfer coding is refused with 415", async () => {
    const head = `POST ${RENDER} HTTP/1.1\nContent-Type: application/json\nTransfer-Encoding: gzip, chunked`;
    expect(codeOf(await exchangeRaw(service.port, head, "0\r\n\r\n"))).toBe("unsupported_media_type");
  });

  it("does not harm the service", async () => {
    await expectPicture(service, (await nestedTemplate(service)).slug);
  });
});

describe("invalid bytes after requests", () => {
  it.each([`POST ${RENDER}`, "GET /api/service/templates", "GET /"])(
    "get one error after the responses to %s, and the log has no warning",
    async (line) => {
      const head = `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n`;
      const connection = new RawConnection(service.port).send(`${head.repeat(3)}garbage\r\n\r\n`);
      await connection.closed;
      expect(connection.text).toContain("The request is not valid HTTP.");
      expect(service.output()).not.toContain("MaxListeners");
    },
  );
});
