import type { Assets } from "../assets.ts";
import { readFields } from "../field-values.ts";
import type { JsonFile } from "../json-file.ts";
import { itemsOf } from "../lists/leaf-fields.ts";
import type { FieldValues, FileFault, TemplateManifest, Variant } from "../template.ts";
import { CONTENT_FILE } from "./template-texts.ts";

type Fields = TemplateManifest["fields"];

/** The smallest image that passes every check. */
const STAND_IN = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";

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

type ReadVariants = {
  manifest: TemplateManifest;
  content: Record<string, FieldValues>;
  lineOf: JsonFile<unknown>["lineOf"];
  assets: Assets;
};

/** Checks the values of every variant. */
export async function readVariants({
  manifest,
  content,
  lineOf,
  assets,
}: ReadVariants): Promise<{ variants: Record<string, Variant>; faults: FileFault[] }> {
  const variants: Record<string, Variant> = {};
  const faults: FileFault[] = [];
  for (const [variant, values] of Object.entries(content)) {
    const { own, rest } = splitAssets({ fields: manifest.fields, values, assets });
    const isOwn = (field: string) => own.some(({ item, name }) => !item && name === field);
    const declarations = Object.fromEntries(Object.entries(manifest.fields).filter(([name]) => !isOwn(name)));
    const read = await readFields({ declarations, values: rest, path: "" });
    variants[variant] = { content: values, values: withOwn(read.values, own) };
    for (const issue of read.issues) {
      const keys = issue.path.slice(1).split("/");
      const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const reason = `${variant}.${keys.join(".")}: ${issue.message}`;
      faults.push({ file: CONTENT_FILE, line: lineOf([variant, ...path]), reason });
    }
  }
  return { variants, faults };
}
