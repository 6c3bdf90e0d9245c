import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Assets, readAssetGlyphs, readAssets } from "./assets.ts";
import { compileMarkup } from "./compile-markup.ts";
import { compileStyles } from "./compile-styles.ts";
import { checkEscapes } from "./escape-check.ts";
import { readFields } from "./field-values.ts";
import { type JsonFile, readJson } from "./json-file.ts";
import { liquidFault, parseLiquid } from "./liquid.ts";
import { itemsOf } from "./lists/leaf-fields.ts";
import {
  type FieldValues,
  type FileFault,
  MARKUP_FILE,
  type Template,
  type TemplateManifest,
  templateContent,
  templateManifest,
  type Variant,
} from "./template.ts";
import { FileRefused, readText } from "./template-files.ts";

const MANIFEST_FILE = "template.json";
const CONTENT_FILE = "content.json";
const STYLE_FILE = "style.css";

type Fields = TemplateManifest["fields"];

/** The smallest image that passes every check. */
const STAND_IN = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";

type Loaded = { template: Template } | { faults: FileFault[] };

/** Images of a variant that name an asset. Such an image may be SVG, unlike one of a request. */
type OwnImage = { item?: { list: string; index: number }; name: string; asset: string };

type Split = { fields: Fields; values: FieldValues; assets: Assets };

/** Separates the images that name an asset. They are put back after the other values are checked. */
function splitAssets({ fields, values, assets }: Split): { own: OwnImage[]; rest: FieldValues } {
  const own: OwnImage[] = [];
  const rest: FieldValues = {};
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const asset = field?.type === "image" && typeof value === "string" ? assets[value] : undefined;
    if (field?.type === "list" && Array.isArray(value)) {
      rest[name] = value.map((item: unknown, index) => {
        if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
        const split = splitAssets({ fields: field.item, values: item as FieldValues, assets });
        own.push(...split.own.map((image) => ({ ...image, item: { list: name, index } })));
        // Something has to stand for a required image while the item is checked.
        return { ...split.rest, ...Object.fromEntries(split.own.map((image) => [image.name, STAND_IN])) };
      });
    } else if (asset === undefined) rest[name] = value;
    else own.push({ name, asset });
  }
  return { own, rest };
}

/** The values with the images of {@link splitAssets}. */
function withOwn(values: FieldValues, own: OwnImage[]): FieldValues {
  const result = { ...values };
  for (const { item, name, asset } of own) {
    if (!item) result[name] = asset;
    else Object.assign(itemsOf(values[item.list])[item.index] ?? {}, { [name]: asset });
  }
  return result;
}

type ReadVariants = { manifest: TemplateManifest; content: JsonFile<Record<string, FieldValues>>; assets: Assets };

async function readVariants({
  manifest,
  content,
  assets,
}: ReadVariants): Promise<{ variants: Record<string, Variant>; faults: FileFault[] }> {
  const variants: Record<string, Variant> = {};
  const faults: FileFault[] = [];
  for (const [variant, values] of Object.entries(content.value)) {
    const { own, rest } = splitAssets({ fields: manifest.fields, values, assets });
    const isOwn = (field: string) => own.some(({ item, name }) => !item && name === field);
    const declarations = Object.fromEntries(Object.entries(manifest.fields).filter(([name]) => !isOwn(name)));
    const read = await readFields({ declarations, values: rest, path: "" });
    variants[variant] = { content: values, values: withOwn(read.values, own) };
    for (const issue of read.issues) {
      const keys = issue.path.slice(1).split("/");
      const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const reason = `${variant}.${keys.join(".")}: ${issue.message}`;
      faults.push({ file: CONTENT_FILE, line: content.lineOf([variant, ...path]), reason });
    }
  }
  return { variants, faults };
}

function tryLiquid(source: string): FileFault[] {
  try {
    parseLiquid(source);
    return [];
  } catch (error) {
    return [liquidFault(error)];
  }
}

const TEXT_FILES = [MANIFEST_FILE, CONTENT_FILE, MARKUP_FILE, STYLE_FILE] as const;

type Texts = Record<(typeof TEXT_FILES)[number], string>;

/** Says why a file cannot be used, without paths of the machine. */
function describeFailure(error: unknown): string {
  if (error instanceof FileRefused) return `${error.message}.`;
  if (error instanceof RangeError) return "The file is nested too deeply. Use fewer levels.";
  if (!(error instanceof Error && "code" in error)) throw error;
  return error.code === "ENOENT" ? "The file is missing." : `The file cannot be read (${error.code}).`;
}

function readTexts(folder: string): { texts: Texts } | { faults: FileFault[] } {
  const texts: Partial<Texts> = {};
  const faults: FileFault[] = [];
  for (const file of TEXT_FILES) {
    try {
      texts[file] = readText(join(/* turbopackIgnore: true */ folder, file));
    } catch (error) {
      faults.push({ file, line: 1, reason: describeFailure(error) });
    }
  }
  return faults.length > 0 ? { faults } : { texts: texts as Texts };
}

/** Does everything but the hash and the escape check, which need the whole template. */
async function compile(folder: string, slug: string): Promise<Loaded> {
  const read = readTexts(folder);
  if ("faults" in read) return read;
  const { texts } = read;

  const manifest = readJson({ file: MANIFEST_FILE, text: texts[MANIFEST_FILE], schema: templateManifest });
  const content = readJson({ file: CONTENT_FILE, text: texts[CONTENT_FILE], schema: templateContent });
  if ("faults" in manifest || "faults" in content)
    return { faults: [manifest, content].flatMap((file) => ("faults" in file ? file.faults : [])) };

  const { assets, faults: assetFaults } = await readAssets(folder);
  const source = texts[MARKUP_FILE];
  const markup = compileMarkup({ source, assets, fields: manifest.value.fields });
  const styles = compileStyles(texts[STYLE_FILE], assets);
  const fonts = await readAssetGlyphs(assets);
  const { variants, faults } = await readVariants({ manifest: manifest.value, content, assets });
  faults.push(...assetFaults, ...markup.faults, ...styles.faults, ...fonts.faults, ...tryLiquid(source));
  if (!Object.hasOwn(variants, manifest.value.defaultVariant)) {
    faults.push({
      file: MANIFEST_FILE,
      line: manifest.lineOf(["defaultVariant"]),
      reason: `content.json has no variant "${manifest.value.defaultVariant}", want one of ${Object.keys(variants).join(", ")}.`,
    });
  }
  if (faults.length > 0) return { faults };
  const { glyphs } = fonts;
  const compiled = { html: markup.html, css: styles.css, fonts: styles.fonts, ...(glyphs && { glyphs }), variants };
  return { template: { ...manifest.value, slug, hash: "", ...compiled } };
}

/** Covers everything that can change a pixel, and nothing else: a new label does not make a new picture. */
function hashOf({ width, height, fields, html, css, variants, defaultVariant }: Template): string {
  const declarations = Object.entries(fields).map(([name, { label: _, description: __, ...rest }]) => [name, rest]);
  const values = Object.entries(variants).map(([name, variant]) => [name, variant.values]);
  const content = { width, height, declarations, html, css, values, defaultVariant };
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** Reads, checks and compiles the folder of one template. Every fault has a file and a line. */
export async function loadTemplate(folder: string, slug: string): Promise<Loaded> {
  try {
    const loaded = await compile(folder, slug);
    if ("faults" in loaded) return loaded;
    const faults = checkEscapes(loaded.template);
    if (faults.length > 0) return { faults };
    loaded.template.hash = hashOf(loaded.template);
    return loaded;
  } catch (error) {
    return { faults: [{ file: MARKUP_FILE, line: 1, reason: describeFailure(error) }] };
  }
}
