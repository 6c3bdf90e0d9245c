import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import { shutDown } from "#lib/render/render.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { RenderWarnings } from "#lib/schemas/warnings.ts";
import { send } from "../client.ts";

beforeAll(() => void buildFonts());
afterAll(() => shutDown());

const PLAIN = { template: "social/quote", data: { quote: "Less is more." } };

/** A request with a character without a glyph, a word that is too long for its line, and a value without a place. */
const WARNED = { template: "social/quote", data: { quote: "𐎀", author: "W".repeat(40), highlight: "nowhere" } };

const draw = (json: unknown, prefer?: string) => send("POST", "images/render", { json, headers: { prefer } });

describe("a picture that differs from its request", () => {
  it("is answered with its warnings in a header", async () => {
    const response = await draw(WARNED);
    expect(response.status).toBe(200);
    expect(response.headers.get("preference-applied")).toBeNull();
    const { warnings, more } = RenderWarnings.parse(JSON.parse(response.headers.get("x-render-warnings") ?? ""));
    expect(more).toBe(0);
    expect(warnings.map(({ path, code }) => `${code} ${path}`)).toEqual([
      "glyph_missing /data/quote",
      "field_ignored /data/highlight",
      "text_shrunk /data/author",
    ]);
  });

  it("is refused with strict handling, with the warnings as issues", async () => {
    const response = await draw(WARNED, "respond-async, handling=strict");
    expect([response.status, response.headers.get("preference-applied")]).toEqual([422, "handling=strict"]);
    const { error } = ErrorAnswer.parse(await response.json());
    expect(error.code).toBe("invalid_data");
    const { warnings } = JSON.parse((await draw(WARNED)).headers.get("x-render-warnings") ?? "");
    expect(error.issues).toEqual(warnings);
    expect(response.headers.get("x-render-warnings")).toBeNull();
  });

  it("is answered when the preference is malformed or unknown", async () => {
    for (const prefer of ["handling=lenient", "handling=strict=strict", "handling", "return=minimal"]) {
      const response = await draw(WARNED, prefer);
      expect([response.status, response.headers.get("preference-applied")], prefer).toEqual([200, null]);
    }
  });
});

describe("a picture that does not differ from its request", () => {
  it("has no such header, and Preference-Applied confirms strict handling", async () => {
    expect((await draw(PLAIN)).headers.has("x-render-warnings")).toBe(false);
    const strict = await draw(PLAIN, "handling=strict");
    expect(strict.status).toBe(200);
    expect(strict.headers.get("preference-applied")).toBe("handling=strict");
    expect(strict.headers.get("content-type")).toBe("image/png");
  });
});
