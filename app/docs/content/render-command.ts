import type { TemplateSummary } from "#lib/schemas/template.ts";

type RenderBody = { template: string; variant?: string; data?: Record<string, unknown> };

type Command = {
  origin: string;
  isGuarded: boolean;
  body: RenderBody;
  /** Where the picture goes. */
  file: string;
  /** Further lines, each an option of curl. */
  options?: string[];
};

/** For a shell: what stands in single quotes means itself, but for the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The call that renders a picture, as a shell runs it. The token comes from the environment, where the quick start puts it. */
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

/** An edit of the template's first text; none where it has no text that takes one. */
export function exampleData({ fields }: TemplateSummary): Record<string, unknown> {
  const first = Object.entries(fields).find(([, { type }]) => type === "text");
  if (first === undefined) return {};
  const [name, { maxLength }] = first;
  return { [name]: EXAMPLE_TEXT.slice(0, typeof maxLength === "number" ? maxLength : EXAMPLE_TEXT.length) };
}
