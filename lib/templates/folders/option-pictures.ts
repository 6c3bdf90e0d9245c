import type { Assets } from "../assets.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import type { FileFault } from "../template.ts";
import { MANIFEST_FILE } from "./template-texts.ts";

type Declared = { fields: Record<string, FieldDeclaration>; lineOf: (path: (string | number)[]) => number };

/** Puts the pictures of options in place of the files that they name, for the studio and for templates that show them. */
export function inlinePictures({ fields, lineOf }: Declared, assets: Assets): FileFault[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.type !== "select" || !field.pictures) return [];
    const { pictures } = field;
    return Object.entries(pictures).flatMap(([option, file]) => {
      const asset = assets[file];
      if (asset !== undefined) pictures[option] = asset;
      const line = lineOf(["fields", name, "pictures", option]);
      const reason = `Got the picture "${file}", want a file of the assets folder.`;
      return asset === undefined ? [{ file: MANIFEST_FILE, line, reason }] : [];
    });
  });
}
