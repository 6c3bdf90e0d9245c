import type { TemplateSummary } from "#lib/schemas/template.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import type { Sources } from "../sources.ts";
import { RENDER_COMPONENT } from "./api-operation.ts";
import { exampleData, pictureName, renderCommand } from "./render-command.ts";
import { notesOf, typeOf } from "./schema-rows.ts";
import { block, code, parts, plain, table } from "./table.ts";

export type TemplatePage = { title: string; summary: string; body: string };

/** The type of a field in words, by field type. They replace the pattern of the schema. */
const TYPE_WORDS: Record<string, string> = {
  text: "text",
  emphasis: "text with `**bold**`, `*italic*` and `==mark==`",
  progress: 'number from 0 to 1, or `{ "done": 3, "total": 12 }`',
  color: "colour: `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`",
  image:
    '[image](/docs/templates#images): a `data:` URL, or an address of an allowed host; also `{ "src": …, "focus": { "x": 0.5, "y": 0.5 }, "zoom": 1 }`',
  date: "date: `2026-05-01`",
  money: 'amount: `{ "amount": 12, "currency": "EUR" }`',
  range: '`{ "from": …, "to": … }`',
  qr: "text, drawn as a QR code",
  series: "series: an array of numbers, or an object with `labels` and `series`",
  code: "code: a string, or an object with `text`, `language` and `lines`",
  barcode: "text or digits, drawn as a barcode",
};

const TIME_WORDS = "date and time: `2026-05-01T19:30`";

type Field = TemplateSummary["fields"][string];

function wordsOf({ type, time, zone, currency, total }: Field, schemaType: string): string {
  if (type === "progress" && total !== undefined) return schemaType;
  if (type === "money" && currency !== undefined) return `amount in ${currency}: \`12\``;
  if (type === "date" && zone !== undefined) return `${TIME_WORDS} in ${zone}, or with an offset`;
  if (type === "date" && time === true) return TIME_WORDS;
  return TYPE_WORDS[type] ?? schemaType;
}

function fieldRows(data: JsonSchema, { fields }: TemplateSummary): string[][] {
  const properties = (data.properties ?? {}) as Record<string, JsonSchema>;
  return Object.entries(fields).map(([name, field]) => {
    // A template's description is plain text, unlike the descriptions of schemas.
    const schema = { ...properties[name], description: field.description && plain(field.description) };
    const notes = [`**${plain(field.label)}.**`, notesOf(schema, TYPE_WORDS[field.type] === undefined)];
    return [
      code(name),
      wordsOf(field, typeOf(schema)),
      [...notes, field.required && "Never empty."].filter(Boolean).join(" "),
    ];
  });
}

/** The page of a template with its exact `data`; undefined where no such template is served. */
export async function writeTemplateReference(slug: string, sources: Sources): Promise<TemplatePage | undefined> {
  const [templates, { components }] = await Promise.all([sources.templates(), sources.document()]);
  const template = templates.find((one) => one.slug === slug);
  const schema = components.schemas[`${RENDER_COMPONENT}${slug.replaceAll("/", ".")}`];
  if (template === undefined || schema === undefined) return undefined;
  const { title, description, width, height, variants, defaultVariant } = template;
  const { data = {} } = schema.properties as Record<string, JsonSchema>;
  const rows = fieldRows(data, template);
  const request = { template: slug, variant: defaultVariant, data: exampleData(template) };
  const { origin, isGuarded } = sources;
  const body = parts(
    `${code(slug)} renders a PNG of ${width} × ${height} pixels. Its variants are ${variants.map((name) => (name === defaultVariant ? `${code(name)} (the default)` : code(name))).join(", ")}. Try it with a form on [its page](/templates/${slug}).`,
    "## Fields",
    rows.length === 0
      ? "It has no fields. Choose a variant."
      : "Every field is optional in `data`: without an edit it keeps the variant's value.",
    rows.length > 0 && table(["field", "type", "about"], rows),
    "## Request",
    block("sh", `Render ${slug}`, renderCommand({ origin, isGuarded, body: request, file: pictureName(slug) })),
    "## Schema",
    "The JSON Schema of the whole body, from the [OpenAPI document](/api/service/openapi.json).",
    block("json", `The schema of ${slug}`, JSON.stringify(schema, null, 2)),
  );
  return { title, summary: description, body };
}
