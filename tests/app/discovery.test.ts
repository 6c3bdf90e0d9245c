import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import * as openapi from "../../app/api/service/openapi.json/route.ts";
import * as detail from "../../app/api/service/templates/[...slug]/route.ts";
import * as list from "../../app/api/service/templates/route.ts";
import { ask, errorOf, expectSafeHeaders } from "../http/requests.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";

const get = () => new Request("http://localhost/");

let slug: string;

beforeAll(async () => {
  const { templates } = await getRegistry();
  slug = templates.find((template) => template.slug.includes("/"))?.slug ?? "";
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function dot(): Promise<Buffer> {
  return await sharp({ create: { width: 2, height: 2, channels: 3, background: "#ff0000" } })
    .png()
    .toBuffer();
}

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

  it("describes a template by a slug in segments and by one with an encoded slash", async () => {
    const bySegments = await (await describeSlug(slug.split("/"))).json();
    expect(TemplateDetail.parse(bySegments).slug).toBe(slug);
    expect(await (await describeSlug([slug])).json()).toEqual(bySegments);
  });

  it("describes what a form needs: tags, and each field's label, requirement and limits in the template's order", async () => {
    const root = templatesRoot();
    const manifest = {
      fields: {
        title: { type: "text", label: "Title", required: true, maxLength: 40, default: "Hello" },
        tone: { type: "select", label: "Tone", description: "Of the ground", options: ["warm", "cool"] },
        photo: { type: "image", label: "Photo" },
        face: { type: "image", label: "Face" },
        count: { type: "number", label: "Count", min: 1, max: 9, integer: true },
      },
      rest: { tags: ["card"] },
    };
    writeTemplate(root, "a/card", {
      "template.json": manifestWith(manifest.fields, manifest.rest),
      "content.json": JSON.stringify({ plain: { photo: "assets/dot.png" } }),
      "assets/dot.png": "",
      "template.html":
        '<h1 class="{{ tone }}">{{ title }}{{ count }}</h1>{% if photo %}<img src="{{ photo }}" alt="">{% endif %}{% if face %}<img src="{{ face }}" alt="">{% endif %}',
    });
    writeFileSync(join(root, "a/card/assets/dot.png"), await dot());
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
    const card = TemplateDetail.parse(await (await describeSlug(["a", "card"])).json());
    expect(card.tags).toEqual(["card"]);
    expect(Object.keys(card.fields)).toEqual(Object.keys(manifest.fields));
    expect(card.fields).toMatchObject(manifest.fields);
    expect(card.fields.title).toMatchObject({ multiline: false });
    expect(card.fields.tone).toMatchObject({ required: false });
    expect(card.fields.photo).toMatchObject({ fit: "cover", onError: "error" });
    expect(card).toMatchObject({ values: { plain: {} }, ownImages: { plain: ["photo"] } });
  });

  it.each([["no", "such"], ["toString"], ["..", "..", "package.json"], ["__proto__"], [""]])(
    "answers 404 for the template %s/%s",
    async (...segments) => {
      expect((await errorOf(await describeSlug(segments))).code).toBe("not_found");
    },
  );

  it("answers with an OpenAPI document", async () => {
    const document = await (await ask(openapi.GET, get())).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: expect.anything() });
  });

  it("works with an invalid render configuration", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "perhaps");
    for (const handler of [list.GET, openapi.GET]) expect((await ask(handler, get())).status).toBe(200);
    expect((await describeSlug(slug.split("/"))).status).toBe(200);
  });
});
