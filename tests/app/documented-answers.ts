import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { describeService } from "#lib/operations/all.ts";
import type { Method } from "./client.ts";

type Responses = Record<string, { description: string; content: Record<string, { schema: AnySchema }> }>;
type Document = { paths: Record<string, Record<string, { responses: Responses }>>; components: object };

/** An error's code must be among those that the document names for its status. */
async function expectNamedCode(response: Response, responses: Responses): Promise<void> {
  const { error } = (await response.clone().json()) as { error: { code: string } };
  expect(responses[response.status]?.description.split(", ")).toContain(error.code);
}

/** Returns an assertion that an answer is one that the OpenAPI document has for its operation. */
export async function documented() {
  const document = (await describeService()) as Document;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  // zod's own format, beside a pattern that says the same.
  ajv.addFormat("starts_with", true);
  ajv.addSchema({ $id: "service", components: document.components });
  // A name comes before a parameter.
  const paths = Object.entries(document.paths).toSorted(([a], [b]) => a.split("{").length - b.split("{").length);
  const patterns = paths.map(([path, item]) => {
    const pattern = path.replace("{slug}", ".+").replaceAll(/\{\w+\}/g, "[^/]+");
    return { pattern: new RegExp(`^${pattern}$`), item };
  });
  const expectSchema = async (response: Response, responses: Responses) => {
    const schema = responses[response.status]?.content["application/json"]?.schema;
    if (schema === undefined) return;
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"service#/')) as AnySchema;
    expect(ajv.validate(absolute, await response.json()), ajv.errorsText()).toBe(true);
  };
  return async ({ method, path }: { method: Method; path: string }, response: Response) => {
    const item = patterns.find(({ pattern }) => pattern.test(path.split("?", 1)[0] ?? ""))?.item;
    const responses = item?.[method.toLowerCase()]?.responses;
    if (!item || response.status === 405 || method === "HEAD") return;
    expect(Object.keys(responses ?? {})).toContain(String(response.status));
    if (responses && response.ok) await expectSchema(response, responses);
    else if (responses && response.status >= 400) await expectNamedCode(response, responses);
  };
}
