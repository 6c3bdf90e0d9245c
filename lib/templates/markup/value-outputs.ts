import type { FieldDeclaration } from "../fields/field-types.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { lineAt } from "../template-files.ts";

/** How a template writes fields whose value is an object, by their type: what it may output, and what to write instead. */
const WRITTEN: Partial<Record<FieldDeclaration["type"], { outputs: RegExp; wanted: (name: string) => string }>> = {
  barcode: {
    outputs: /^\.(?:src|text)\b/,
    wanted: (name) => `{{ ${name}.src }} as the src of an <img>, or {{ ${name}.text }}`,
  },
};

/** Finds outputs of an object as a whole, which would show no more than "[object Object]". */
export function unwrittenValues(source: string, fields: Record<string, FieldDeclaration>): FileFault[] {
  return [...source.matchAll(/\{\{-?\s*([a-zA-Z0-9]+)([^{}]*?)\s*-?\}\}/g)].flatMap((match) => {
    const [output, name = "", rest = ""] = match;
    const written = Object.hasOwn(fields, name) ? WRITTEN[fields[name]?.type ?? "text"] : undefined;
    if (!written || written.outputs.test(rest.trimStart())) return [];
    const reason = `Got ${output}, want ${written.wanted(name)}.`;
    return { file: MARKUP_FILE, line: lineAt(source, match.index), reason };
  });
}
