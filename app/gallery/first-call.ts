import type { TemplateDetail } from "#lib/schemas/template.ts";

/** Longer values would hide the call that they are in. */
const SHORT_CHARS = 64;

/**
 * A short text of the default variant, of a field that a call has to fill if there is one: sent as an edit, the picture is
 * the one that is shown beside it.
 */
function shownEdit({ fields, values, defaultVariant }: TemplateDetail): [name: string, value: string] | undefined {
  const own = values[defaultVariant] ?? {};
  const names = Object.keys(fields).filter((name) => fields[name]?.type === "text");
  for (const name of names.toSorted((a, b) => Number(fields[b]?.required) - Number(fields[a]?.required))) {
    const value = own[name];
    if (typeof value !== "string" || value === "" || value.includes("\n")) continue;
    if (value.length <= SHORT_CHARS) return [name, value];
  }
  return undefined;
}

/** Text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The body of the call that draws a template's default variant, a line for each thing in it. */
export function firstBody(template: TemplateDetail): string {
  const edit = shownEdit(template);
  return JSON.stringify({ template: template.slug, ...(edit && { data: Object.fromEntries([edit]) }) }, null, 2);
}

type FirstCall = { origin: string; body: string; hasToken: boolean };

/** The command that sends it, ready to be pasted. */
export function firstCall({ origin, body, hasToken }: FirstCall): string {
  return [
    `curl ${origin}/api/service/images/render \\`,
    ...(hasToken ? ['  -H "Authorization: Bearer $PLATEN_TOKEN" \\'] : []),
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(body.replaceAll("\n", "\n  "))} \\`,
    "  -o picture.png",
  ].join("\n");
}
