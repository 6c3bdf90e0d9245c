import { afterEach, describe, expect, it, vi } from "vitest";
import { anyone } from "#lib/http/identity/auth.ts";
import { cacheableImageResponse, matchesEtag, notModifiedResponse } from "#lib/http/response/conditional-response.ts";
import { route } from "#lib/http/route/route.ts";
import { ask, expectSafeHeaders } from "./requests.ts";

const ETAG = '"abc"';
const PRIVATE_MINUTE = "private, max-age=60, must-revalidate";

afterEach(() => {
  vi.unstubAllEnvs();
});

function requestWith(ifNoneMatch?: string): Request {
  return new Request("http://localhost/", {
    headers: ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch },
  });
}

describe("If-None-Match", () => {
  it.each([ETAG, `W/${ETAG}`, `"x", ${ETAG}`, `"x",W/"y" ,W/${ETAG}`, "*", " * "])("%s matches", (value) => {
    expect(matchesEtag(requestWith(value), ETAG)).toBe(true);
  });

  it.each([undefined, "", "abc", '"ab"', '"abcd"', '"x"', '"*"', `*, ${'"x"'}`])("%s does not match", (value) => {
    expect(matchesEtag(requestWith(value), ETAG)).toBe(false);
  });
});

describe("a picture that a browser may cache", () => {
  const handler = route({
    auth: anyone,
    // A view into a larger buffer, as pictures from a cache are.
    handle: () => {
      const bytes = Buffer.from("a picture").subarray(2);
      return cacheableImageResponse({ bytes, contentType: "image/webp", etag: ETAG });
    },
  });

  it("is cached privately for a minute", async () => {
    const response = await ask(handler, requestWith());
    expectSafeHeaders(response, { cacheControl: PRIVATE_MINUTE });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "content-length": "7",
      "content-disposition": "inline",
      etag: ETAG,
    });
    expect(await response.text()).toBe("picture");
  });

  it("is checked at every use in development", async () => {
    vi.stubEnv("NODE_ENV", "development");
    expect((await ask(handler, requestWith())).headers.get("cache-control")).toBe("private, no-cache");
  });

  it("is answered 304 without a body where the browser has it", async () => {
    const response = notModifiedResponse(ETAG);
    expect([response.status, response.body]).toEqual([304, null]);
    expect(Object.fromEntries(response.headers)).toEqual({ "cache-control": PRIVATE_MINUTE, etag: ETAG });
  });
});
