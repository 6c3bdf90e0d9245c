import { type Unused, unusedFaults } from "../faults/undefined-variables.ts";
import { type FieldDeclaration, fitOf, type SimpleDeclaration } from "../fields/field-types.ts";
import { declaredLeaves } from "../lists/leaf-fields.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { lineAt } from "../template-files.ts";
import { codeMark } from "./code-elements.ts";
import { indexOfUse } from "./field-uses.ts";
import { hasMisspeltMark } from "./marks.ts";

/** The attribute that marks the element to fit or to measure for a field. */
function wantedMark(name: string, declaration: SimpleDeclaration): { mark: string; because: string } | undefined {
  if (fitOf(declaration)) return { mark: `data-fit="${name}"`, because: 'declares "fit"' };
  if (declaration.type === "image" && declaration.trim)
    return { mark: `data-image="${name}"`, because: 'declares "trim"' };
  return codeMark(name, declaration);
}

/** The names of {@link unusedFields}: fields, lists, and fields of items. A language has its effect without a place. */
function unusedNames(fields: Record<string, FieldDeclaration>, isUsed: (name: string) => boolean): Unused[] {
  const shown = declaredLeaves(fields).filter(([, { type }]) => type !== "language");
  const leaves = shown.map(([key]): Unused => {
    const [list = "", inner] = key.split(".");
    if (inner === undefined) return { name: key, what: "field", use: `{{ ${key} }}` };
    return { name: key, what: "field", use: `{{ item.${inner} }} inside {% for item in ${list} %}` };
  });
  const lists = Object.keys(fields).filter((name) => fields[name]?.type === "list");
  return [
    ...leaves.filter(({ name }) => !isUsed(name.split(".").at(-1) ?? "")),
    ...lists
      .filter((name) => !isUsed(name))
      .map((name) => ({ name, what: "list", use: `{% for item in ${name} %}…{% endfor %}` })),
  ];
}

/** The colour fields that images are drawn in or judged by, which need no place in the markup. */
function imageColors(fields: Record<string, FieldDeclaration>): string[] {
  return declaredLeaves(fields).flatMap(([, field]) => {
    if (field.type !== "image") return [];
    return [...(field.duotone ?? []), ...(field.over === undefined ? [] : [field.over])];
  });
}

/** Finds fields that the markup never uses, or that lack the element to fit or to measure. */
export function unusedFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  const leaves = declaredLeaves(fields);
  const named = imageColors(fields);
  const isUsed = (name: string) => named.includes(name) || indexOfUse(source, name) >= 0;
  const faultOf = (name: string, reason: string): FileFault => {
    const use = indexOfUse(source, name);
    return { file: MARKUP_FILE, line: use < 0 ? 1 : lineAt(source, use), reason };
  };
  const isLeafUsed = (key: string) => isUsed(key.split(".").at(-1) ?? "");
  const unused = unusedFaults({
    source,
    unused: unusedNames(fields, isUsed),
    fields: Object.keys(fields),
    leaves: leaves.map(([key]) => key),
  });
  const unmarked = leaves.flatMap(([key, declaration]) => {
    if (!isLeafUsed(key)) return [];
    const wanted = wantedMark(key, declaration);
    const isMissing =
      wanted && !source.includes(wanted.mark) && !hasMisspeltMark(source, key, Object.fromEntries(leaves));
    return isMissing
      ? faultOf(key.split(".").at(-1) ?? "", `The field "${key}" ${wanted.because}, but no element has ${wanted.mark}.`)
      : [];
  });
  const lists = Object.entries(fields).flatMap(([name, declaration]) => {
    if (declaration.type !== "list") return [];
    if (!isUsed(name) || declaration.overflow !== "more" || new RegExp(`\\b${name}\\.more\\b`).test(source)) return [];
    return faultOf(
      name,
      `The list "${name}" declares "overflow": "more", but its count is not used. Write it, such as {% if ${name}.more > 0 %}{{ ${name}.more | local_more }}{% endif %}.`,
    );
  });
  return [...unused, ...unmarked, ...lists];
}
