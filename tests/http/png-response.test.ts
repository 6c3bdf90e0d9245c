import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WARNING_HEADER_BYTES, WARNING_LIMIT } from "#lib/http/http-limits.ts";
import { pngResponse, WARNINGS_HEADER, warningsHeader } from "#lib/http/response/png-response.ts";

const warning = (message: string) => ({ path: "/data/title", code: "glyph_missing", message });

describe("the header of warnings", () => {
  it("is JSON that gives back what was to be said, in printable ASCII", () => {
    const warnings = [warning('No font has "𐎀" (U+10380).'), warning("ü\u007f\u2028\ud800")];
    const header = warningsHeader(warnings);
    expect(header).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(header)).toEqual({ warnings, more: 0 });
  });

  it("leaves out warnings beyond the limit, and those that make it too long", () => {
    const short = Array.from({ length: WARNING_LIMIT + 3 }, () => warning("x"));
    expect(JSON.parse(warningsHeader(short))).toEqual({ warnings: short.slice(0, WARNING_LIMIT), more: 3 });
    const long = Array.from({ length: 3 }, () => warning("x".repeat(WARNING_HEADER_BYTES / 2 - 100)));
    expect(JSON.parse(warningsHeader(long))).toEqual({ warnings: long.slice(0, 2), more: 1 });
  });

  it("never grows beyond its bounds, and counts what it leaves out", () => {
    const messages = fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 60 });
    fc.assert(
      fc.property(messages, (texts) => {
        const header = warningsHeader(texts.map(warning));
        expect(header).toMatch(/^[\u0020-\u007e]*$/);
        expect(header.length).toBeLessThanOrEqual(WARNING_HEADER_BYTES);
        const { warnings, more } = JSON.parse(header);
        expect(warnings.length).toBeLessThanOrEqual(WARNING_LIMIT);
        expect(warnings.length + more).toBe(texts.length);
        expect(warnings).toEqual(texts.slice(0, warnings.length).map(warning));
      }),
    );
  });
});

describe("the response of a picture", () => {
  const png = {
    png: Buffer.from("picture"),
    slug: "a/b/c",
    etag: undefined,
    source: "memory",
    timings: {},
    warnings: [],
  };

  it("has the headers of the contract, and no others", () => {
    expect(Object.fromEntries(pngResponse(png).headers)).toEqual({
      "content-type": "image/png",
      "content-length": "7",
      "content-disposition": 'inline; filename="a-b-c.png"',
      "server-timing": "memory",
    });
  });

  it("names its stages, its entity tag and its warnings", () => {
    const response = pngResponse({
      ...png,
      etag: '"x"',
      timings: { queue: 0.04, load: 12.345 },
      warnings: [warning("A warning.")],
    });
    expect(response.headers.get("server-timing")).toBe("queue;dur=0.0, load;dur=12.3");
    expect(response.headers.get("etag")).toBe('"x"');
    expect(JSON.parse(response.headers.get(WARNINGS_HEADER) ?? "")).toEqual({
      warnings: [warning("A warning.")],
      more: 0,
    });
  });
});
