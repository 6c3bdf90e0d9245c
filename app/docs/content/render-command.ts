import type { TemplateSummary } from "#lib/schemas/template.ts";

type RenderBody = { template: string; variant?: string; data?: Record<string, unknown> };

type Command = {
  origin: string;
  isGuarded: boolean;
  body: RenderBody;
  /** The file that the picture is saved to. */
  file: string;
  /** Further options of curl. */
  options?: string[];
};

/** Quotes text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A shell command that renders a picture. The token comes from the environment variable that the quick start sets. */
export function renderCommand({ origin, isGuarded, body, file, options = [] }: Command): string {
  const json = JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
  return [
    `curl -sS --fail-with-body ${origin}/api/service/images/render \\`,
    ...(isGuarded ? ['  -H "Authorization: Bearer $PLATEN_TOKEN" \\'] : []),
    "  -H 'Content-Type: application/json' \\",
    ...options.map((option) => `  ${option} \\`),
    `  -d ${quoted(json)} \\`,
    `  -o ${file}`,
  ].join("\n");
}

/** `social/quote` → `quote.png` */
export function pictureName(slug: string): string {
  return `${slug.split("/").at(-1)}.png`;
}

const FAVOURITE = "social/quote";

/** The template that examples are made with; undefined where none is served. */
export function exampleTemplate(templates: TemplateSummary[]): TemplateSummary | undefined {
  return templates.find(({ slug }) => slug === FAVOURITE) ?? templates[0];
}

const EXAMPLE_TEXT = "Made with one call.";

/** An edit of the template's first text field; empty for a template without one. */
export function exampleData({ fields }: TemplateSummary): Record<string, unknown> {
  const first = Object.entries(fields).find(([, { type }]) => type === "text");
  if (first === undefined) return {};
  const [name, { maxLength }] = first;
  return { [name]: EXAMPLE_TEXT.slice(0, typeof maxLength === "number" ? maxLength : EXAMPLE_TEXT.length) };
}
