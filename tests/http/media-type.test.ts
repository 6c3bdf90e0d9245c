import { describe, expect, it } from "vitest";
import { AppError } from "#lib/errors.ts";
import { requireJson } from "#lib/http/body/shaped-body.ts";

function codeOf(headers: Record<string, string>): string {
  try {
    requireJson(new Headers(headers));
    return "accepted";
  } catch (error) {
    return error instanceof AppError ? error.code : "another error";
  }
}

describe("the content type", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    "application/json; charset=UTF-8",
    'application/json; charset="utf-8"',
    'application/json ;\tCharset="UTF-8"',
  ])("%s is JSON", (type) => {
    expect(codeOf({ "content-type": type })).toBe("accepted");
  });

  it.each([
    "",
    "text/plain",
    "text/json",
    "application/jsonx",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=utf8",
    "application/json; charset='utf-8'",
    "application/json; charset=",
    "application/json;",
    "application/json; charset=utf-8; charset=utf-8",
    "application/json; charset=utf-8; boundary=x",
    "application/json; profile=x",
    "application/json, application/json",
    "application/json charset=utf-8",
  ])("%s is not", (type) => {
    expect(codeOf({ "content-type": type })).toBe("unsupported_media_type");
  });

  it("is quoted up to a limit", () => {
    const headers = new Headers({ "content-type": "x".repeat(10_000) });
    const message = expect.toSatisfy((text: string) => text.length < 200);
    expect(() => requireJson(headers)).toThrow(expect.objectContaining({ message }));
  });

  it("is required", () => {
    expect(codeOf({})).toBe("unsupported_media_type");
  });
});

describe("the content encoding", () => {
  it.each(["identity", "Identity"])("%s is none", (encoding) => {
    expect(codeOf({ "content-type": "application/json", "content-encoding": encoding })).toBe("accepted");
  });

  it.each(["gzip", "br", "zstd", "deflate", "identity, gzip", "identity, identity", ""])(
    "%s is refused",
    (encoding) => {
      expect(codeOf({ "content-type": "application/json", "content-encoding": encoding })).toBe(
        "unsupported_media_type",
      );
    },
  );
});
