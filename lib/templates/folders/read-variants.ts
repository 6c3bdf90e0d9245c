import { type Issue, pointer } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { Assets } from "../assets.ts";
import { tellFirst } from "../faults/first-faults.ts";
import { readFields } from "../field-values.ts";
import type { JsonFile } from "../json-file.ts";
import type { FieldValues, FileFault, TemplateManifest, Variant } from "../template.ts";
import { defaultFaults, isAboutDefault, keysOf } from "./default-faults.ts";
import { type OwnImage, splitAssets, takesTooLong, withOwn } from "./own-images.ts";
import { CONTENT_FILE } from "./template-texts.ts";

type ReadVariants = {
  manifest: TemplateManifest;
  content: Record<string, FieldValues>;
  /** The lines of `content.json`. */
  lineOf: JsonFile<unknown>["lineOf"];
  /** The lines of `template.json`. */
  manifestLineOf: JsonFile<unknown>["lineOf"];
  assets: Assets;
};

/** The faults of how a variant shows an asset, with their places in the variant. */
function cropFaults({ item, name, faults }: OwnImage): Issue[] {
  const place = item ? [item.list, item.index, name] : [name];
  return faults.map(({ at = [], ...fault }) => ({ path: [...place, ...at].reduce<string>(pointer, ""), ...fault }));
}

/** Splits the path of a field into the object that it is in and its name. */
function placeOf({ path }: Issue): { parent: string; name: string } {
  const end = path.lastIndexOf("/") + 1;
  return { parent: path.slice(0, end), name: path.slice(end) };
}

/** Leaves out required fields without a value where a misspelt name stands beside them: that fault is told. */
function withoutMeant(issues: Issue[]): Issue[] {
  const unknown = issues.filter(({ code }) => code === "unknown_field").map(placeOf);
  const isMeant = (issue: Issue) => {
    const { parent, name } = placeOf(issue);
    return unknown.some((other) => other.parent === parent && nearestName(other.name, [name]) !== undefined);
  };
  return issues.filter((issue) => issue.code !== "required" || !isMeant(issue));
}

/** Checks the values of every variant, and the defaults. */
export async function readVariants({
  manifest,
  content,
  lineOf,
  manifestLineOf,
  assets,
}: ReadVariants): Promise<{ variants: Record<string, Variant>; faults: FileFault[] }> {
  const variants: Record<string, Variant> = {};
  let isTooLong = false;
  const found: { variant: string; issue: Issue }[] = [];
  for (const [variant, values] of Object.entries(content)) {
    const { own, rest } = splitAssets({ fields: manifest.fields, values, assets });
    const isOwn = (field: string) => own.some(({ item, name }) => !item && name === field);
    const declarations = Object.fromEntries(Object.entries(manifest.fields).filter(([name]) => !isOwn(name)));
    const read = await readFields({ declarations, values: rest, path: "" });
    variants[variant] = { content: values, values: isTooLong ? read.values : await withOwn(read.values, own) };
    isTooLong ||= takesTooLong(own);
    const issues = withoutMeant(read.issues).filter((issue) => !isAboutDefault(issue, rest));
    for (const issue of [...issues, ...own.flatMap(cropFaults)]) found.push({ variant, issue });
  }
  const faults = tellFirst(found, ({ variant, issue }) => {
    const keys = keysOf(issue);
    const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const reason = `${variant}.${keys.join(".")}: ${issue.message}`;
    return { file: CONTENT_FILE, line: lineOf([variant, ...path]), reason };
  });
  return {
    variants,
    faults: [...(await defaultFaults({ fields: manifest.fields, lineOf: manifestLineOf })), ...faults],
  };
}
