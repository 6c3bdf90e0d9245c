import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, afterEach, describe, expect, it, test, vi } from "vitest";
import { describeService } from "#lib/operations/all.ts";
import { PATHS } from "#lib/operations/paths.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { describeTemplate } from "#lib/templates/catalog.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { FieldValues } from "#lib/templates/template.ts";
import { loadRoute, ROUTES } from "../app/client.ts";
import { LINK_KEYS } from "../links/links.ts";

afterAll(() => shutDown());

afterEach(() => {
  vi.unstubAllEnvs();
});

type Document = { components: { schemas: Record<string, object> }; paths: Record<string, object> };

async function validator() {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const document = (await describeService()) as Document;
  return (slug: string, body: unknown) =>
    ajv.validate(document.components.schemas[`Render.${slug.replaceAll("/", ".")}`] ?? false, body);
}

test("the described values of a variant match its schema and are the variant's own", async () => {
  const validate = await validator();
  const { templates } = await getRegistry();
  expect(templates.length).toBeGreaterThan(0);
  for (const template of templates) {
    const { slug, fields, variants } = template;
    const { values } = await describeTemplate(slug);
    for (const [variant, data] of Object.entries(values)) {
      expect(validate(slug, { template: slug, variant, data }), `${slug} ${variant}`).toBe(true);
      const base = variants[variant]?.values ?? expect.fail(`${slug} has no variant ${variant}`);
      const read = async (edits: FieldValues) => {
        const { values, issues } = await readFields({ declarations: fields, values: edits, base, path: "/data" });
        expect(issues).toEqual([]);
        return composeDocument(template, values).html;
      };
      // The same document is the same picture.
      expect((await read(data)) === (await read({})), `${slug} ${variant}`).toBe(true);
    }
  }
});

test("the described values of a variant render the variant", async () => {
  const [{ slug } = expect.fail("no template")] = (await getRegistry()).templates;
  for (const [variant, data] of Object.entries((await describeTemplate(slug)).values)) {
    const [sent, plain] = await Promise.all(
      [data, undefined].map((edits) => renderTemplate({ template: slug, variant, data: edits })),
    );
    expect(sent?.png.equals(plain?.png ?? Buffer.alloc(0)), variant).toBe(true);
  }
});

test("the schema of each template refuses invalid requests", async () => {
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

test.each(["true", "false"])("every reference of the document resolves, access layer on: %s", async (enabled) => {
  vi.stubEnv("SERVICE_AUTH_ENABLED", enabled);
  const text = JSON.stringify(await describeService());
  const { components } = JSON.parse(text) as Document;
  const names = [...text.matchAll(/"\$ref":"#\/(?:components\/schemas\/)?([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(components.schemas, name).toHaveProperty([name]);
});

describe("the access layer in the document", () => {
  const METHODS = ["get", "post", "put", "patch", "delete"];

  /** Every operation of the document as `POST /api/service/login`, with its security. */
  async function operations() {
    const { paths } = (await describeService()) as { paths: Record<string, Record<string, { security: object[] }>> };
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { security }]): [string, object[]] => [
        `${method.toUpperCase()} ${path}`,
        security,
      ]),
    );
  }

  /** Every operation of the route files. A method without an operation is refused first. */
  async function routed() {
    const found: string[] = [];
    for (const route of ROUTES.filter((folder) => /^\/api\/service\/(?!openapi)/.test(folder))) {
      const handlers = await loadRoute(route);
      for (const method of METHODS) {
        const name = method.toUpperCase() as "GET";
        const { status } = await handlers[name](new Request("http://x/", { method: name }), {
          params: Promise.resolve({}),
        });
        if (status !== 405)
          found.push(
            `${name} ${route.replace(/\[(?:\.\.\.)?(\w+)\]/, "{$1}").replace("{link}", "{keyId}/{signature}/{payload}.png")}`,
          );
      }
    }
    return found;
  }

  it("is described with every operation and its security", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    vi.stubEnv("SERVICE_LINK_KEYS", LINK_KEYS);
    const described = await operations();
    expect(described.map(([name]) => name).toSorted()).toEqual((await routed()).toSorted());
    const open = described.filter(([, security]) => security.length === 0).map(([name]) => name);
    expect(open).toEqual([`GET ${PATHS.link}`, `POST ${PATHS.login}`, `POST ${PATHS.logout}`]);
    const byToken = described.filter(([, security]) => security.some((one) => "token" in one)).map(([name]) => name);
    expect(byToken).toEqual(["POST /api/service/images/render"]);
  });

  it("is not described in open mode, where no operation needs credentials", async () => {
    const described = await operations();
    expect(described).toHaveLength(9);
    expect(described.filter(([, security]) => security.length > 0)).toEqual([]);
    const { components } = (await describeService()) as Document;
    expect(Object.keys(components)).toEqual(["schemas"]);
    expect(Object.keys(components.schemas)).not.toContain("User");
  });

  it("has the schemas that the routes check with", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const { components } = (await describeService()) as Document;
    const isValid = (name: string, value: unknown) => ajv.validate(components.schemas[name] ?? false, value);
    const user = { email: "ada@example.com", name: "Ada", password: "p".repeat(12) };
    expect(isValid("CreateUser", user)).toBe(true);
    expect(isValid("CreateUser", { ...user, role: "admin" })).toBe(true);
    for (const wrong of [{ role: "root" }, { name: "" }, { password: "short" }, { id: 1 }, { email: "ada" }]) {
      expect(isValid("CreateUser", { ...user, ...wrong })).toBe(false);
    }
    expect(isValid("UpdateAccount", {})).toBe(false);
    expect(isValid("UpdateAccount", { role: "admin" })).toBe(false);
    expect(isValid("UpdateUser", { status: "deactivated" })).toBe(true);
    expect(isValid("Logout", {})).toBe(true);
  });
});
