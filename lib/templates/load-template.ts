import { createHash } from "node:crypto";
import { join } from "node:path";
import { nearestName } from "#lib/nearest-name.ts";
import { type Assets, assetName, readAssetGlyphs, readAssets } from "./assets.ts";
import { compileMarkup } from "./compile-markup.ts";
import { compileStyles } from "./compile-styles.ts";
import { checkEscapes } from "./escape-check.ts";
import { withSourceLines } from "./faults/source-lines.ts";
import { explainUndefined } from "./faults/undefined-variables.ts";
import { inlinePictures } from "./folders/option-pictures.ts";
import { readVariants } from "./folders/read-variants.ts";
import { CONTENT_FILE, MANIFEST_FILE, readTexts, STYLE_FILE, type Texts } from "./folders/template-texts.ts";
import { readJson } from "./json-file.ts";
import { liquidFault, parseLiquid } from "./liquid.ts";
import { declaredLeaves } from "./lists/leaf-fields.ts";
import { brandStyles, namesBrand, type ReadBrand } from "./shared/brand.ts";
import { type ExpandedText, expandParts } from "./shared/expand-parts.ts";
import { namedParts } from "./shared/named-parts.ts";
import { BRAND_FILE, isShared, PARTS_FOLDER, readPart } from "./shared/shared-files.ts";
import { applyBrand, inlineLogo } from "./shared/template-brand.ts";
import {
  type Brand,
  type FileFault,
  MARKUP_FILE,
  type Template,
  templateContent,
  templateManifest,
} from "./template.ts";
import { describeFailure, readText } from "./template-files.ts";

/** A template, or why it is none. */
export type LoadedTemplate = { template: Template } | { faults: FileFault[] };

function tryLiquid(source: string): FileFault[] {
  try {
    parseLiquid(source);
    return [];
  } catch (error) {
    return [liquidFault(error)];
  }
}

/** Where a template is. */
export type TemplateSource = {
  folder: string;
  slug: string;
  /** The templates folder around it, with what its templates share. */
  root: string;
  brand: ReadBrand;
};

/** The assets of a template, and those of all templates that its files name. */
async function readAllAssets({ folder, root }: TemplateSource, texts: string[], logo: string | undefined) {
  const own = await readAssets({ dir: folder, name: "assets" });
  const named = [...texts, logo ?? ""].map(assetName);
  const isNamed = (file: string) => named.some((text) => text.includes(file));
  const isWanted = (file: string) => !/\.(?:html|css)$/.test(file) && isNamed(file);
  const shared = await readAssets({ dir: root, name: PARTS_FOLDER, isWanted });
  const assets: Assets = { ...own.assets, ...shared.assets };
  return { assets, faults: [...own.faults, ...shared.faults] };
}

/** The style sheet with the sheets that it imports, as one text. */
function importedText(style: string, root: string): string {
  return [style, ...namedParts(root, [style]).values()].join("\n");
}

function tryReadShared(root: string, name: string): string | undefined {
  try {
    return name === BRAND_FILE ? readText(join(/* turbopackIgnore: true */ root, name), root) : readPart(root, name);
  } catch {
    return undefined;
  }
}

type Brands = { brand: Brand | undefined; isUsed: boolean };

/** The brand that a template may use, or its faults if the template uses it. */
function brandFor(read: ReadBrand, texts: string[]): Brands | { faults: FileFault[] } {
  const isUsed = texts.some(namesBrand);
  if (read && "faults" in read) return isUsed ? read : { brand: undefined, isUsed };
  return { brand: read?.brand, isUsed };
}

function describeMissingVariant(name: string, variants: string[]): string {
  const nearest = nearestName(name, variants);
  const wanted = nearest === undefined ? `want one of ${variants.join(", ")}.` : `did you mean "${nearest}"?`;
  return `content.json has no variant "${name}", ${wanted}`;
}

type Compile = { source: TemplateSource; texts: Texts; body: ExpandedText };

/** Does everything but the hash and the escape check, which need the whole template. */
async function compile({ source, texts, body }: Compile): Promise<LoadedTemplate> {
  const { root, slug } = source;
  const read = {
    manifest: readJson({ file: MANIFEST_FILE, text: texts[MANIFEST_FILE], schema: templateManifest }),
    content: readJson({ file: CONTENT_FILE, text: texts[CONTENT_FILE], schema: templateContent }),
  };
  if ("faults" in read.manifest || "faults" in read.content)
    return { faults: Object.values(read).flatMap((file) => ("faults" in file ? file.faults : [])) };
  const { manifest, content } = { manifest: read.manifest, content: read.content };

  const style = importedText(texts[STYLE_FILE], root);
  const all = [texts[MANIFEST_FILE], texts[CONTENT_FILE], body.text, style];
  const used = brandFor(source.brand, all);
  if ("faults" in used) return used;
  const branded = applyBrand(used.brand, { manifest, content, read: source.brand });
  const files = await readAllAssets(source, all, used.isUsed ? used.brand?.logo : undefined);
  const fonts = await readAssetGlyphs(files.assets);
  const { assets } = fonts;
  const logo = used.brand && used.isUsed ? inlineLogo(used.brand, assets) : undefined;
  // A missing logo is told once. The rest of the brand counts.
  const brand = logo && ("brand" in logo ? logo.brand : used.brand);
  const styles = compileStyles({
    source: texts[STYLE_FILE],
    assets,
    glyphs: fonts.byFile,
    root,
    ...(brand && { brand: brandStyles(brand) }),
  });
  const markup = compileMarkup({
    source: body.text,
    assets,
    fields: branded.manifest.fields,
    families: styles.families,
    brandProperties: styles.brandProperties,
    hasLogo: brand?.logo !== undefined,
  });
  const { variants, faults } = await readVariants({
    ...branded,
    lineOf: content.lineOf,
    manifestLineOf: manifest.lineOf,
    assets,
  });
  faults.push(...inlinePictures({ fields: branded.manifest.fields, lineOf: manifest.lineOf }, assets));
  faults.push(...branded.faults, ...files.faults, ...(logo && "fault" in logo ? [logo.fault] : []));
  faults.push(...markup.faults, ...styles.faults, ...fonts.faults, ...tryLiquid(body.text));
  if (!Object.hasOwn(variants, manifest.value.defaultVariant)) {
    faults.push({
      file: MANIFEST_FILE,
      line: manifest.lineOf(["defaultVariant"]),
      reason: describeMissingVariant(manifest.value.defaultVariant, Object.keys(variants)),
    });
  }
  if (faults.length > 0) return { faults };
  const { glyphs } = fonts;
  const compiled = { html: markup.html, css: styles.css, fonts: styles.fonts, ...(glyphs && { glyphs }), variants };
  return { template: { ...branded.manifest, slug, hash: "", ...compiled, ...(brand && { brand }) } };
}

/** Covers everything that can change a pixel, and nothing else: a new label does not make a new picture. */
function hashOf({ width, height, fields, html, css, variants, defaultVariant, brand }: Template): string {
  const declarations = Object.entries(fields).map(([name, field]) => {
    const { label: _, description: __, ...rest } = field;
    return [name, rest];
  });
  const values = Object.entries(variants).map(([name, variant]) => [name, variant.values]);
  const content = { width, height, declarations, html, css, values, defaultVariant, brand };
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** The names of fields, and of those of items as `rows.name`. */
function namesOf({ fields }: Template): string[] {
  return [...Object.keys(fields), ...declaredLeaves(fields).map(([key]) => key)];
}

/** Names the files of faults as their author does, adds the lines, and says what to do about undefined variables. */
function explainFaults(faults: FileFault[], { source, texts, body }: Compile, fields: string[]): FileFault[] {
  const placed = faults.map((fault) => {
    const explained = explainUndefined(fault, fields);
    const isMarkup = fault.file === MARKUP_FILE && !body.faults.includes(fault);
    return isMarkup ? { ...explained, ...body.originOf(fault.line) } : explained;
  });
  const textOf = (file: string) => (isShared(file) ? tryReadShared(source.root, file) : texts[file as keyof Texts]);
  return withSourceLines(placed, textOf);
}

async function load(source: TemplateSource): Promise<LoadedTemplate> {
  const read = readTexts(source);
  if ("faults" in read) return read;
  const body = expandParts(read.texts[MARKUP_FILE], { file: MARKUP_FILE, root: source.root });
  const given = { source, texts: read.texts, body };
  // Everything else that is missing may be in the part that is missing.
  if (body.faults.length > 0) return { faults: explainFaults(body.faults, given, []) };
  const loaded = await compile(given);
  if ("faults" in loaded) return { faults: explainFaults(loaded.faults, given, []) };
  const { template } = loaded;
  const faults = await checkEscapes(template);
  if (faults.length > 0) return { faults: explainFaults(faults, given, namesOf(template)) };
  template.hash = hashOf(template);
  return loaded;
}

/**
 * Reads, checks and compiles the folder of one template. Every fault has a file and a line.
 * @throws AppError `unavailable` when no image can be decoded now, or an error that a library should not throw
 */
export async function loadTemplate(source: TemplateSource): Promise<LoadedTemplate> {
  try {
    return await load(source);
  } catch (error) {
    return { faults: [{ file: MARKUP_FILE, line: 1, reason: describeFailure(error) }] };
  }
}
