import type { ApiFailure } from "../../ui/api/api-failure.ts";
import type { StudioTemplate } from "./edits.ts";

const DATA = "/data/";

/** The label of a value, by its JSON Pointer: `Title`, or `Rows 3, Name` for a value of an item. */
export function fieldWords({ fields }: StudioTemplate, path: string): string {
  const [name = "", index, inner = ""] = path.slice(DATA.length).split("/");
  const declaration = fields[name];
  if (!declaration) return path;
  if (declaration.type !== "list" || index === undefined) return declaration.label;
  const item = `${declaration.label} ${Number(index) + 1}`;
  const field = declaration.item[inner];
  return field ? `${item}, ${field.label}` : item;
}

/** The labels of the values that a request was refused for. */
export function invalidFields(template: StudioTemplate, failure: ApiFailure | undefined): string[] {
  const issues = failure?.issues.filter(({ path }) => path.startsWith(DATA)) ?? [];
  return [...new Set(issues.map(({ path }) => fieldWords(template, path)))];
}
