import type { Issue } from "#lib/errors.ts";
import { isEmpty, readFields } from "../field-values.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import type { JsonFile } from "../json-file.ts";
import type { FieldValues, FileFault } from "../template.ts";
import { MANIFEST_FILE } from "./template-texts.ts";

type Fields = Record<string, FieldDeclaration>;

type ReadDefaults = { fields: Fields; lineOf: JsonFile<unknown>["lineOf"] };

/** The keys of a JSON Pointer. */
export function keysOf({ path }: Issue): string[] {
  return path.slice(1).split("/");
}

async function faultsAmong(fields: Fields, { lineOf, path }: Omit<ReadDefaults, "fields"> & { path: string[] }) {
  const { issues } = await readFields({ declarations: fields, values: {}, path: "" });
  return issues
    .filter(({ code }) => code !== "required")
    .map((issue): FileFault => {
      const [name = "", ...rest] = keysOf(issue);
      const place = [...path, name, "default", ...rest];
      const line = lineOf(place.map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
      return { file: MANIFEST_FILE, line, reason: `${place.join(".")}: ${issue.message}` };
    });
}

/** Checks the defaults of all fields, those that every variant replaces included: a request may empty such a field. */
export async function defaultFaults({ fields, lineOf }: ReadDefaults): Promise<FileFault[]> {
  const faults = await faultsAmong(fields, { lineOf, path: ["fields"] });
  for (const [list, field] of Object.entries(fields))
    if (field.type === "list")
      faults.push(...(await faultsAmong(field.item, { lineOf, path: ["fields", list, "item"] })));
  return faults;
}

/** Whether an issue of a variant is about a value that a default gives, which {@link defaultFaults} checks. */
export function isAboutDefault(issue: Issue, values: FieldValues): boolean {
  if (issue.code === "required") return false;
  const [name = "", index, inner = ""] = keysOf(issue);
  const value = values[name];
  if (isEmpty(value)) return true;
  const item = Array.isArray(value) && inner !== "" ? value[Number(index)] : undefined;
  return typeof item === "object" && item !== null && isEmpty(item[inner]);
}
