import { CHART_FILTERS } from "../drawings/charts.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import { declaredLeaves } from "../lists/leaf-fields.ts";
import { withListNames } from "../lists/list-scopes.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { lineAt } from "../template-files.ts";

/** How a template writes fields whose value is an object, by their type: what it may output, and what to write instead. */
const WRITTEN: Partial<Record<FieldDeclaration["type"], { outputs: RegExp; wanted: (name: string) => string }>> = {
  barcode: {
    outputs: /^\.(?:src|text)\b/,
    wanted: (name) => `{{ ${name}.src }} as the src of an <img>, or {{ ${name}.text }}`,
  },
  code: {
    outputs: /^(?:\.(?:text|language)\b|\|\s*code_block\b)/,
    wanted: (name) => `{{ ${name} | code_block: width: 1000, height: 500 }}`,
  },
  series: {
    outputs: new RegExp(`^\\|\\s*(?:${CHART_FILTERS.join("|")})\\b`),
    wanted: (name) => `{{ ${name} | line_chart: width: 1000, height: 400 }} or another chart`,
  },
};

/** Finds outputs of an object as a whole, which would show no more than "[object Object]". */
export function unwrittenValues(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  return [...source.matchAll(/\{\{-?\s*[a-zA-Z0-9]+[^{}]*?\s*-?\}\}/g)].flatMap((match) => {
    const [output] = match;
    const named = withListNames(output, { source, fields, offset: match.index });
    const [name, declaration] =
      declaredLeaves(fields).find(([key]) => new RegExp(`^\\{\\{-?\\s*${key.replace(".", "\\.")}\\b`).test(named)) ??
      [];
    const written = declaration && WRITTEN[declaration.type];
    if (!written || name === undefined) return [];
    const rest = named.slice(named.indexOf(name) + name.length).replace(/\s*-?\}\}$/, "");
    if (written.outputs.test(rest.trimStart())) return [];
    // The reason uses the variable that the author wrote.
    const own = name.includes(".") ? `${/\w+/.exec(output)?.[0]}.${name.split(".")[1]}` : name;
    const reason = `Got ${output}, want ${written.wanted(own)}.`;
    return { file: MARKUP_FILE, line: lineAt(source, match.index), reason };
  });
}
