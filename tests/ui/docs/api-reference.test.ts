import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { getRegistry } from "#lib/templates/registry.ts";
import { writeApiReference } from "../../../app/docs/content/api-reference.ts";
import { exampleOf } from "../../../app/docs/content/schema-example.ts";
import { schemaRows } from "../../../app/docs/content/schema-rows.ts";
import { writeSchemas } from "../../../app/docs/content/schemas.ts";
import { writeTemplateReference } from "../../../app/docs/content/template-reference.ts";
import { parseMarkdown } from "../../../app/docs/markdown/parse.ts";
import { sourcesOf } from "./sources.ts";

beforeAll(async () => {
  await getRegistry();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each([true, false])("with the access layer on: %s", (isGuarded) => {
  const sources = () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", String(isGuarded));
    return sourcesOf({ isGuarded });
  };

  it("the reference has exactly the operations and schemas of the document", async () => {
    const { document } = sources();
    const { paths, components } = await document();
    const headingsOf = (text: string) => parseMarkdown(text).headings.filter(({ depth }) => depth === 3);
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const schemas = Object.keys(components.schemas).filter((name) => !name.startsWith("Render."));
    const namesOf = (text: string) => headingsOf(text).map((heading) => heading.text);
    expect(namesOf(await writeApiReference(sources())).toSorted()).toEqual(operations.toSorted());
    expect(namesOf(await writeSchemas(sources()))).toEqual(schemas);
  });

  it("every example matches its schema", async () => {
    const { components } = await sources().document();
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    // Told by a pattern too.
    ajv.addFormat("starts_with", true);
    ajv.addSchema({ $id: "document", components });
    const named = Object.entries(components.schemas).filter(([name]) => !name.startsWith("Render."));
    for (const [name, schema] of named) {
      const example = exampleOf(schema, components.schemas);
      const isValid = ajv.validate(`document#/components/schemas/${name}`, example);
      expect([name, isValid, ajv.errorsText(), example]).toEqual([name, true, "No errors", example]);
    }
  });

  it("each template has a page with exactly its fields", async () => {
    const given = sources();
    const templates = await given.templates();
    expect(templates.length).toBeGreaterThan(0);
    for (const { slug, fields } of templates) {
      const page = await writeTemplateReference(slug, given);
      const [, table = ""] = page?.body.split("## Fields") ?? [];
      const named = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
      expect(named, slug).toEqual(Object.keys(fields));
    }
    expect(await writeTemplateReference("no/such", given)).toBeUndefined();
    expect(await writeTemplateReference("__proto__", given)).toBeUndefined();
  });
});

describe("the rows of a schema", () => {
  it("show nesting, required keys and limits", () => {
    const schema = {
      type: "object",
      required: ["list"],
      properties: {
        list: {
          type: "array",
          minItems: 1,
          items: { type: "object", required: [], properties: { name: { type: "string", maxLength: 5 } } },
        },
        count: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 3, description: "how many" },
        note: { anyOf: [{ type: "string" }, { enum: [null, ""] }] },
        end: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      },
    };
    expect(schemaRows(schema, "sent")).toEqual([
      ["`list`", "array of object, required", "At least 1 item."],
      ["`list[].name`", "string", "At most 5 characters."],
      ["`count`", "integer", "How many. At least 1. `3` when absent."],
      ["`note`", "string", '`""` or `null` empties it.'],
      ["`end`", "string (date) or null", ""],
    ]);
    expect(schemaRows(schema, "answered").map(([, type]) => type)).toContain("integer, may be absent");
  });
});
