import type { TemplateSummary } from "#lib/schemas/template.ts";
import { DOC_PAGES, markdownPath } from "../doc-pages.ts";
import type { Sources } from "../sources.ts";
import { plain } from "./table.ts";

function fieldWords([name, { type, required }]: [string, { type: string; required: boolean }]): string {
  return `${name} (${type}${required ? ", never empty" : ""})`;
}

function templateLine(
  { slug, title, description, width, height, variants, fields }: TemplateSummary,
  linkOrigin: string,
): string {
  const words = Object.entries(fields).map(fieldWords).join(", ");
  return `- [${slug}](${linkOrigin}${markdownPath(`/docs/api/${slug}`)}): ${plain(title)}, ${width} × ${height}. ${plain(description)} Variants: ${variants.join(", ")}. Fields: ${words || "none"}.`;
}

/** A description of the service for language models, in the form of https://llmstxt.org. */
export async function writeLlms({ linkOrigin, isGuarded, templates }: Sources): Promise<string> {
  const credentials = isGuarded ? " and an API token as `Authorization: Bearer svc_…`" : ", without credentials";
  const where = linkOrigin === "" ? " to where this is from," : "";
  return `# Platen

> A service that turns the name of a template and a few field edits into a PNG, rendered by real Chromium.

To render, send \`POST ${linkOrigin}/api/service/images/render\`${where} with \`Content-Type: application/json\`${credentials}. The body is
\`{ "template": slug, "variant"?: name, "data"?: { field: value } }\` and has no other keys. The answer is the PNG, or JSON with an
error that names every fault at once. A picture that differs from its request has warnings in the header \`X-Render-Warnings\`;
with \`Prefer: handling=strict\` it is refused instead.

## Documentation

${DOC_PAGES.map(({ path, title, summary }) => `- [${title}](${linkOrigin}${markdownPath(path)}): ${summary}`).join("\n")}

## Templates

${(await templates()).map((template) => templateLine(template, linkOrigin)).join("\n") || "There is none yet."}

## Optional

- [OpenAPI 3.1 document](${linkOrigin}/api/service/openapi.json): every route, with the exact schema of each template's data
- [Templates as JSON](${linkOrigin}/api/service/templates): every template with its size, variants and fields
`;
}
