import { createHash } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { examineTemplate } from "#lib/render/render-template.ts";
import { findHome } from "#lib/templates/folders/template-home.ts";
import { MANIFEST_FILE } from "#lib/templates/folders/template-texts.ts";
import { readJson } from "#lib/templates/json-file.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { type Template, templateManifest } from "#lib/templates/template.ts";
import { type DrawnVariant, fitNotices } from "./fit-notices.ts";
import { idleStyles, missingContent, oneLineFields } from "./idle-styles.ts";
import { ignoredStyles } from "./ignored-styles.ts";
import { lookExpression, type SeenStyles } from "./look-in-page.ts";
import { markupNotices } from "./markup-notices.ts";
import { describeNotice, type Notice, type SourceText, withoutRepeated } from "./notice.ts";
import { stillStyles } from "./still-styles.ts";
import { svgNotices } from "./svg-notices.ts";
import { type TemplateTexts, textsOf } from "./template-sources.ts";
import { unusedStyles } from "./unused-styles.ts";

/** A variant as it was drawn with its own content, and what its page told about the style sheets. */
export type SeenVariant = DrawnVariant & { seen: SeenStyles };

/** Draws a variant, and looks at its page for {@link drawnNotices}. @throws as {@link examineTemplate} */
export async function drawForNotices(
  { template, variant, sources }: { template: Template; variant: string; sources: SourceText[] },
  options: Omit<Parameters<typeof examineTemplate>[1], "examine"> = {},
): Promise<SeenVariant & { png: Buffer }> {
  const look = lookExpression(sources);
  const request = { template: template.slug, variant };
  const { png, measured, examined } = await examineTemplate(request, {
    ...options,
    examine: (page) => page.evaluate(look),
  });
  return { variant, png, measured, seen: examined as SeenStyles };
}

/** The notices about a template that its drawn variants tell: parts of `fit`, and declarations without effect. */
export function drawnNotices(template: Template, sources: SourceText[], drawn: SeenVariant[]): Notice[] {
  const text = sources.find(({ file }) => file === `${template.slug}/${MANIFEST_FILE}`)?.text ?? "";
  const manifest = readJson({ file: MANIFEST_FILE, text, schema: templateManifest });
  // A variant that cannot be drawn might show what the others do not.
  const isWhole = drawn.length === Object.keys(template.variants).length;
  const seen = isWhole ? drawn.map((variant) => variant.seen) : [];
  const oneLine = oneLineFields(sources, seen);
  const fits = "faults" in manifest ? [] : fitNotices({ template, manifest, sources, drawn, oneLine });
  return [...idleStyles(sources, seen), ...missingContent(sources, seen), ...fits];
}

/** Draws every variant. One that cannot be drawn has an error of its own, where its picture is asked for. */
async function drawVariants(template: Template, sources: SourceText[], options: RenderOptions): Promise<SeenVariant[]> {
  const drawn: SeenVariant[] = [];
  for (const variant of Object.keys(template.variants)) {
    try {
      drawn.push(await drawForNotices({ template, variant, sources }, { ...options, effort: "fast" }));
    } catch (error) {
      if (!(error instanceof AppError) || !["invalid_data", "image_rejected"].includes(error.code)) throw error;
    }
  }
  return drawn;
}

/** Callers take turns: the pictures of the workshop do not wait for all variants. */
export const CALLER = "notices";

/** The notices that need no browser. */
export function plainNotices({ sources, drawings }: TemplateTexts): Notice[] {
  return [...unusedStyles(sources), ...stillStyles(sources), ...markupNotices(sources), ...svgNotices(drawings)];
}

async function findNotices(texts: TemplateTexts, template: Template | undefined): Promise<Notice[]> {
  const { sources } = texts;
  const options = { caller: CALLER };
  const styles = [...(await ignoredStyles(sources, options)), ...plainNotices(texts)];
  if (!template) return withoutRepeated(styles);
  const drawn = await drawVariants(template, sources, options);
  return withoutRepeated([...styles, ...drawnNotices(template, sources, drawn)]);
}

/** Changes with everything that the notices of a template are found in. */
export function keyOf(texts: TemplateTexts, template: Template | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([texts, template?.hash]))
    .digest("hex");
}

/** What was found in a template, and the hash of what it was found in. `found` has the notices once they are there. */
type Known = { key: string; notices: Promise<Notice[]>; found?: Notice[]; logged: Set<string> };

const known = processState("notices", () => new Map<string, Known>());

async function logNew(slug: string, { notices, logged }: Known, before: Set<string>): Promise<void> {
  for (const text of (await notices).map(describeNotice)) {
    if (!before.has(text)) log().warn({ notice: text }, `The template "${slug}" says something that has no effect.`);
    logged.add(text);
  }
}

/** The notices of {@link templateNotices} that were found for these files. Undefined where they were not looked for yet. */
export function drawnSoFar(slug: string, key: string): Notice[] | undefined {
  const last = known.get().get(slug);
  return last?.key === key ? last.found : undefined;
}

/**
 * Finds what has no effect in the files of one template: CSS that the browser ignores, that concerns no element or that does
 * nothing where it stands, and parts of `fit`. It draws every variant, so it is for development. The result is kept until a
 * file of the template changes, and each notice is logged when it is new.
 * @returns none for a template that has no folder
 * @throws AppError as a render does
 */
export async function templateNotices(slug: string): Promise<Notice[]> {
  const home = findHome(slug);
  if (!home) return [];
  const texts = textsOf(home);
  const template = (await getRegistry()).templates.find((candidate) => candidate.slug === slug);
  const key = keyOf(texts, template);
  const last = known.get().get(slug);
  if (last?.key === key) return await last.notices;
  const current: Known = { key, notices: findNotices(texts, template), logged: new Set() };
  known.get().set(slug, current);
  try {
    await logNew(slug, current, last?.logged ?? new Set());
  } catch (error) {
    // A failure may be temporary, so the next request tries again.
    if (known.get().get(slug) === current) known.get().delete(slug);
    throw error;
  }
  current.found = await current.notices;
  return current.found;
}
