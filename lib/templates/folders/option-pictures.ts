import { type Assets, findAsset } from "../assets.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import type { FileFault } from "../template.ts";
import { MANIFEST_FILE } from "./template-texts.ts";

type Fields = Record<string, FieldDeclaration>;

type Declared = { fields: Fields; lineOf: (path: (string | number)[]) => number };

function inlineBelow(fields: Fields, assets: Assets, { lineOf, path }: Omit<Declared, "fields"> & { path: string[] }) {
  return Object.entries(fields).flatMap(([name, field]): FileFault[] => {
    const at = [...path, name];
    if (field.type === "list") return inlineBelow(field.item, assets, { lineOf, path: [...at, "item"] });
    if (field.type !== "select" || !field.pictures) return [];
    const { pictures } = field;
    return Object.entries(pictures).flatMap(([option, file]) => {
      const asset = findAsset(assets, file);
      if (asset !== undefined) pictures[option] = asset;
      const line = lineOf([...at, "pictures", option]);
      const reason = `Got the picture "${file}", want a file of the assets folder.`;
      return asset === undefined ? [{ file: MANIFEST_FILE, line, reason }] : [];
    });
  });
}

/** Puts the pictures of options in place of the files that they name, for the studio and for templates that show them. */
export function inlinePictures({ fields, lineOf }: Declared, assets: Assets): FileFault[] {
  return inlineBelow(fields, assets, { lineOf, path: ["fields"] });
}
