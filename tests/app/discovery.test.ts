import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import * as openapi from "../../app/api/service/openapi.json/route.ts";
import * as detail from "../../app/api/service/templates/[...slug]/route.ts";
import * as list from "../../app/api/service/templates/route.ts";
import { ask, errorOf, expectSafeHeaders } from "../http/requests.ts";

const get = () => new Request("http://localhost/");

let slug: string;

beforeAll(async () => {
  const { templates } = await buildRegistry();
  slug = templates.find((template) => template.slug.includes("/"))?.slug ?? "";
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function describeSlug(segments: string[]): Promise<Response> {
  return ask(detail.GET, get(), { slug: segments });
}

describe("discovery", () => {
  it("lists every template with its size, variants and fields", async () => {
    const response = await ask(list.GET, get());
    expectSafeHeaders(response);
    const templates = z.array(TemplateSummary).parse(await response.json());
    expect(templates.map((template) => template.slug)).toContain(slug);
    for (const { variants, defaultVariant } of templates) expect(variants).toContain(defaultVariant);
  });

  it("describes one, whether its slug came in segments or with an encoded slash", async () => {
    const bySegments = await (await describeSlug(slug.split("/"))).json();
    expect(TemplateDetail.parse(bySegments).slug).toBe(slug);
    expect(await (await describeSlug([slug])).json()).toEqual(bySegments);
  });

  it.each([["no", "such"], ["toString"], ["..", "..", "package.json"], ["__proto__"], [""]])(
    "knows no template %s/%s",
    async (...segments) => {
      expect((await errorOf(await describeSlug(segments))).code).toBe("not_found");
    },
  );

  it("gives an OpenAPI document", async () => {
    const document = await (await ask(openapi.GET, get())).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: expect.anything() });
  });

  it("works while nothing can be rendered", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "perhaps");
    for (const handler of [list.GET, openapi.GET]) expect((await ask(handler, get())).status).toBe(200);
    expect((await describeSlug(slug.split("/"))).status).toBe(200);
  });
});
