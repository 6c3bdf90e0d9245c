import { type Assets, findAsset } from "../assets.ts";
import { MANIFEST_FILE } from "../folders/template-texts.ts";
import type { JsonFile } from "../json-file.ts";
import type { Brand, FieldValues, FileFault, TemplateManifest } from "../template.ts";
import { FileRefused } from "../template-files.ts";
import { brandValue, type ReadBrand } from "./brand.ts";
import { BRAND_FILE } from "./shared-files.ts";

type Content = Record<string, FieldValues>;

type Branded = {
  manifest: TemplateManifest;
  content: Content;
  faults: FileFault[];
};

/** A field with the name of the brand's variable, which it would hide. Nothing in a folder without a brand. */
function hiddenBrand(read: ReadBrand, manifest: JsonFile<TemplateManifest>): FileFault[] {
  if (!read || !Object.hasOwn(manifest.value.fields, "brand")) return [];
  const reason = `Got a field "brand" beside ${BRAND_FILE}, whose variable {{ brand }} it would hide. Rename the field, such as brandName.`;
  return [{ file: MANIFEST_FILE, line: manifest.lineOf(["fields", "brand"]), reason }];
}

/**
 * Replaces values of the brand in the defaults and variants of a template, such as `"default": "brand.colors.primary"`. A
 * request may then replace them like any other value. An image whose default is the logo gets it in every variant.
 */
export function applyBrand(
  brand: Brand | undefined,
  { manifest, content, read }: { manifest: JsonFile<TemplateManifest>; content: JsonFile<Content>; read: ReadBrand },
): Branded {
  const faults = hiddenBrand(read, manifest);
  const resolve = (value: unknown, fault: Omit<FileFault, "reason">): unknown => {
    try {
      return brandValue(value, brand);
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      faults.push({ ...fault, reason: `${error.message}.` });
      return undefined;
    }
  };
  const logoFields: string[] = [];
  const fields = Object.entries(manifest.value.fields).map(([name, field]) => {
    if (typeof field.default !== "string" || !field.default.startsWith("brand.")) return [name, field] as const;
    const line = manifest.lineOf(["fields", name, "default"]);
    const own = resolve(field.default, { file: "template.json", line });
    // A missing value is told here. That the field then has none would be a second fault.
    const isMissing = own === undefined;
    if (field.type !== "image")
      return [name, { ...field, default: own, required: field.required && !isMissing }] as const;
    logoFields.push(name);
    return [name, { ...field, default: undefined }] as const;
  });
  const variants = Object.entries(content.value).map(([variant, values]) => {
    const logos = Object.fromEntries(logoFields.map((name) => [name, brand?.logo]));
    const own = Object.entries({ ...logos, ...values }).map(([name, value]) => {
      const line = content.lineOf([variant, name]);
      return [name, resolve(value, { file: "content.json", line })] as const;
    });
    return [variant, Object.fromEntries(own)] as const;
  });
  return {
    manifest: { ...manifest.value, fields: Object.fromEntries(fields) as TemplateManifest["fields"] },
    content: Object.fromEntries(variants),
    faults,
  };
}

/** The brand for Liquid, with its logo as a `data:` URL, or the fault of a logo that is not there. */
export function inlineLogo(brand: Brand, assets: Assets): { brand: Brand } | { fault: FileFault } {
  if (brand.logo === undefined) return { brand };
  const logo = findAsset(assets, brand.logo);
  if (logo !== undefined) return { brand: { ...brand, logo } };
  return { fault: { file: BRAND_FILE, line: 1, reason: `There is no picture "${brand.logo}", the logo.` } };
}
