import { expect, it } from "vitest";
import { preferredEncoding, refusesIdentity } from "#lib/http/server/accept-encoding.ts";

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP", "gzip"],
  ["*", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
  ["br; q=0 , gzip ;q=0.1", "gzip"],
  ["identity;q=0, gzip;q=0.5", "gzip"],
  ["gzip;q=1.0, identity;q=0.5", "gzip"],
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["deflate, zstd", undefined],
  ["*;q=0", undefined],
  ["gzip;q=0, br;q=0", undefined],
  ["gzip;q=many", undefined],
  ["gzip;q=-1", undefined],
  ["gzip;q=0.2, identity", undefined],
  ["x-br", undefined],
])("a client that accepts %j gets %s", (accept, encoding) => {
  expect(preferredEncoding(accept)).toBe(encoding);
});

it.each([
  ["identity;q=0, gzip", true],
  ["gzip, *;q=0", true],
  ["gzip", false],
  [undefined, false],
  ["gzip, *;q=0, identity;q=0.1", false],
])("whether %j refuses a plain body: %s", (accept, refuses) => {
  expect(refusesIdentity(accept)).toBe(refuses);
});
