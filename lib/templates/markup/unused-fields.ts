import { unusedFaults } from "../faults/undefined-variables.ts";
import { type FieldDeclaration, fitOf, type SimpleDeclaration } from "../fields/field-types.ts";
import { declaredLeaves } from "../lists/leaf-fields.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { codeMark } from "./code-elements.ts";

/** The attribute that marks the element to fit or to measure for a field. */
function wantedMark(name: string, declaration: SimpleDeclaration): { mark: string; because: string } | undefined {
  if (fitOf(declaration)) return { mark: `data-fit="${name}"`, because: 'declares "fit"' };
  return codeMark(name, declaration);
}

/** Finds fields that the markup never uses, or that lack the element to fit or to measure. */
export function unusedFields(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  const isUsed = (name: string) => new RegExp(`\\{[{%][^}]*\\b${name}\\b`).test(source);
  const faultOf = (reason: string): FileFault => ({ file: MARKUP_FILE, line: 1, reason });
  const isLeafUsed = (key: string) => isUsed(key.split(".").at(-1) ?? "");
  const names = Object.entries(fields).map(([name]) => name);
  const keys = [...declaredLeaves(fields).map(([key]) => key), ...names];
  const isUnused = (key: string) => !(key.includes(".") ? isLeafUsed(key) : isUsed(key));
  const unused = unusedFaults({ source, unused: [...new Set(keys)].filter(isUnused), fields: names });
  const leaves = declaredLeaves(fields).flatMap(([key, declaration]) => {
    if (!isLeafUsed(key)) return [];
    const wanted = wantedMark(key, declaration);
    const isMissing = wanted && !source.includes(wanted.mark);
    return isMissing ? faultOf(`The field "${key}" ${wanted.because}, but no element has ${wanted.mark}.`) : [];
  });
  const lists = Object.entries(fields).flatMap(([name, declaration]) => {
    if (declaration.type !== "list") return [];
    if (!isUsed(name) || declaration.overflow !== "more" || new RegExp(`\\b${name}\\.more\\b`).test(source)) return [];
    return faultOf(
      `The list "${name}" declares "overflow": "more", but its count is not used. Write it, such as {% if ${name}.more > 0 %}{{ ${name}.more | local_more }}{% endif %}.`,
    );
  });
  return [...unused, ...leaves, ...lists];
}
