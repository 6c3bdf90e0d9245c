import type { TemplateSummary } from "#lib/schemas/template.ts";
import type { OpenApi, Sources } from "../sources.ts";
import { writeOperation } from "./api-operation.ts";
import { exampleData, exampleTemplate, pictureName, renderCommand } from "./render-command.ts";
import { block, code, parts, plain, table } from "./table.ts";

function introduction(isGuarded: boolean): string {
  return `This page is written from the service's [OpenAPI 3.1 document](/api/service/openapi.json), which comes from the same
declarations that the service checks requests with. Generate a client from the document, or import it into your API tool.

- Bodies are JSON: \`Content-Type: application/json\`, UTF-8, not compressed, at most 65,536 bytes (12,000,000 to render), with the listed keys and no others.
- Answers are JSON, except for pictures. Ids are UUIDs, times are ISO 8601 in UTC. Every answer has an \`X-Request-Id\`.
- Errors have [one shape](/docs/schemas#error) and [a fixed set of codes](/docs/errors).${
    isGuarded
      ? `
- Rendering takes an API token as \`Authorization: Bearer svc_…\`. Everything else takes the cookie \`service_session\` of a signed-in user. A request that changes something also needs an \`Origin\` header with the service's own origin.`
      : ""
  }`;
}

function group({ name, description }: OpenApi["tags"][number], document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => writeOperation({ method: method.toUpperCase(), path }, operation, document)),
  );
  return operations.length === 0 ? "" : parts(`## ${name}`, description, ...operations);
}

function templateRow({ slug, title, width, height, variants, fields }: TemplateSummary): string[] {
  return [
    `[${slug}](/docs/api/${slug})`,
    plain(title),
    `${width} × ${height}`,
    variants.map(code).join(", "),
    String(Object.keys(fields).length),
  ];
}

/** Hundreds of rows make a page slow: more templates than this are a list of links. */
const TABLE_ROWS = 24;

function templateLinks(templates: TemplateSummary[]): string {
  return templates.map(({ slug }) => `[${slug}](/docs/api/${slug})`).join(", ");
}

function templatesPart(templates: TemplateSummary[]): string {
  const heading = "## Templates and their fields";
  if (templates.length === 0)
    return parts(heading, "There is no template yet. [Writing a template](/docs/templates) shows how to make one.");
  return parts(
    heading,
    "Each template has a page with the exact schema of its `data`.",
    templates.length <= TABLE_ROWS
      ? table(["template", "title", "size", "variants", "fields"], templates.map(templateRow))
      : templateLinks(templates),
  );
}

/** Every operation, by tag. The schemas have a page of their own. */
export async function writeApiReference({ origin, isGuarded, templates, document }: Sources): Promise<string> {
  const [served, described] = await Promise.all([templates(), document()]);
  const template = exampleTemplate(served);
  const body = template && { template: template.slug, data: exampleData(template) };
  return parts(
    introduction(isGuarded),
    body &&
      block("sh", "Render a picture", renderCommand({ origin, isGuarded, body, file: pictureName(body.template) })),
    ...described.tags.map((tag) => group(tag, described)),
    templatesPart(served),
  );
}
