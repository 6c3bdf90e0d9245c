import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import { shutDown } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { POST } from "../../app/api/service/images/render/route.ts";
import { ask, errorOf, expectSafeHeaders, postRequest } from "../http/requests.ts";

/** Most are refused. The others are rendered, which takes most of the time. */
const RUNS = 300;
const TIMEOUT_MS = 120_000;

let templates: Template[];

beforeAll(async () => {
  buildFonts();
  ({ templates } = await getRegistry());
});

afterAll(() => shutDown());

function anyBody(): fc.Arbitrary<string> {
  const slugs = templates.map((template) => template.slug);
  const fields = templates.flatMap((template) => Object.keys(template.fields));
  const slug = fc.oneof(fc.constantFrom(...slugs, "toString", "../x", ""), fc.string(), fc.jsonValue());
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("#fff", "${x}", "{{x}}", "data:image/png;base64,AA=="),
    fc.jsonValue(),
  );
  const data = fc.oneof(
    fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), value, { maxKeys: 4 }),
    fc.jsonValue(),
  );
  const shaped = fc
    .record({ template: slug, variant: value, data, extra: fc.jsonValue() }, { requiredKeys: [] })
    .map((body) => JSON.stringify(body));
  return fc.oneof(
    { weight: 5, arbitrary: shaped },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
}

function anyType(): fc.Arbitrary<string> {
  const usual = { weight: 20, arbitrary: fc.constant("application/json") };
  return fc.oneof(usual, {
    weight: 1,
    arbitrary: fc.constantFrom("", "text/plain", "application/json; charset=utf-16"),
  });
}

it(
  "an arbitrary body is answered as the contract says",
  async () => {
    const property = fc.asyncProperty(anyBody(), anyType(), async (body, type) => {
      const response = await ask(POST, postRequest({ body, headers: { "content-type": type } }));
      if (response.status !== 200) {
        const { code } = await errorOf(response);
        expect(["internal", "render_failed", "unavailable"]).not.toContain(code);
        return;
      }
      expectSafeHeaders(response);
      expect(response.headers.get("content-type")).toBe("image/png");
      const png = await response.arrayBuffer();
      expect(response.headers.get("content-length")).toBe(String(png.byteLength));
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  TIMEOUT_MS,
);
