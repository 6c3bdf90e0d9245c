import type { StudioTemplate } from "./edits.ts";

/** The label of a value, by its JSON Pointer: `Title`, or `Rows 3, Name` for a value of an item. */
export function fieldWords({ fields }: StudioTemplate, path: string): string {
  const [name = "", index, inner = ""] = path.slice("/data/".length).split("/");
  const declaration = fields[name];
  if (!declaration) return path;
  if (declaration.type !== "list" || index === undefined) return declaration.label;
  const item = `${declaration.label} ${Number(index) + 1}`;
  const field = declaration.item[inner];
  return field ? `${item}, ${field.label}` : item;
}
