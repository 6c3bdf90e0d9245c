import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, expect, test } from "vitest";
import { openApiDocument } from "#lib/http/openapi.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { describeTemplate } from "#lib/templates/catalog.ts";
import { getRegistry } from "#lib/templates/registry.ts";

afterAll(() => shutDown());

type Document = { components: { schemas: Record<string, object> }; paths: Record<string, object> };

async function validator() {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const document = (await openApiDocument()) as Document;
  return (slug: string, body: unknown) =>
    ajv.validate(document.components.schemas[`Render.${slug.replaceAll("/", ".")}`] ?? false, body);
}

test("the values that a template is described with are accepted by its schema, and draw its variant", async () => {
  const validate = await validator();
  const { templates } = await getRegistry();
  expect(templates.length).toBeGreaterThan(0);
  for (const { slug } of templates) {
    const { values } = await describeTemplate(slug);
    for (const [variant, data] of Object.entries(values)) {
      expect(validate(slug, { template: slug, variant, data }), `${slug} ${variant}`).toBe(true);
      const [sent, plain] = await Promise.all(
        [
          { template: slug, variant, data },
          { template: slug, variant },
        ].map((r) => renderTemplate(r)),
      );
      expect(sent?.png.equals(plain?.png ?? Buffer.alloc(0)), `${slug} ${variant}`).toBe(true);
    }
  }
});

test("the schema of each template refuses what the service refuses", async () => {
  const validate = await validator();
  const { templates } = await getRegistry();
  for (const { slug, fields } of templates) {
    expect(validate(slug, { template: slug, data: { titel: "x" } })).toBe(false);
    expect(validate(slug, { template: slug, variant: "no-such" })).toBe(false);
    expect(validate(slug, { template: "other" })).toBe(false);
    expect(validate(slug, { template: slug, extra: 1 })).toBe(false);
    for (const [name, { type }] of Object.entries(fields)) {
      if (type !== "boolean")
        expect(validate(slug, { template: slug, data: { [name]: true } }), `${slug} ${name}`).toBe(false);
      if (type === "color") expect(validate(slug, { template: slug, data: { [name]: "blu" } })).toBe(false);
    }
  }
});

test("every reference of the document resolves", async () => {
  const text = JSON.stringify(await openApiDocument());
  const { components } = JSON.parse(text) as Document;
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(components.schemas, name).toHaveProperty([name]);
});
