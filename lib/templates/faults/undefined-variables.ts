import { analyzeSync, LiquidError, type Template as LiquidNode } from "liquidjs";
import { nearestName } from "#lib/nearest-name.ts";
import { parseLiquid } from "../liquid.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";

const UNDEFINED = /^undefined variable: ([\w.]+?)\.?$/;

/** For a misspelt field of an item, such as `row.naem`: the one that is meant, with the variable of the author. */
function nearestItemField(name: string, fields: string[]): string | undefined {
  const [variable, wanted] = name.split(".");
  if (wanted === undefined) return undefined;
  const names = fields.flatMap((field) => field.split(".")[1] ?? []);
  const nearest = nearestName(wanted, names);
  return nearest && `${variable}.${nearest}`;
}

/** Says what to do about a variable that is not declared. */
function describeUndefined(name: string, fields: string[]): string {
  const named = fields.filter((field) => !field.includes("."));
  const nearest = nearestItemField(name, fields) ?? nearestName(name, named);
  if (nearest !== undefined) return `undefined variable: ${name}. Did you mean "${nearest}"?`;
  if (name.includes(".")) return `undefined variable: ${name}. Want a declared name after the dot.`;
  return `undefined variable: ${name}. Declare it under "fields" in template.json, correct its name, or put quotes around it if it is a text.`;
}

/** Adds to the message of Liquid what to do. Other faults stay. */
export function explainUndefined(fault: FileFault, fields: string[]): FileFault {
  const [, name] = UNDEFINED.exec(fault.reason) ?? [];
  if (name?.startsWith("brand"))
    return { ...fault, reason: `undefined variable: ${name}. Add it to brand.json in the templates folder.` };
  return name === undefined ? fault : { ...fault, reason: describeUndefined(name, fields) };
}

function tryParse(source: string): LiquidNode[] {
  try {
    return parseLiquid(source);
  } catch (error) {
    if (LiquidError.is(error)) return [];
    throw error;
  }
}

/**
 * Finds the variables that nothing declares, by reading the source. Only an explanation of other faults: which branch sets a
 * variable is not followed.
 * @returns their names and lines, in order
 */
function undefinedVariables(source: string, known: string[]): { name: string; line: number }[] {
  const { globals } = analyzeSync(tryParse(source), { partials: false });
  return Object.entries(globals)
    .filter(([name]) => !known.includes(name))
    .map(([name, [first]]) => ({ name, line: first?.location.row ?? 1 }))
    .toSorted((a, b) => a.line - b.line);
}

/** Misspelt uses of fields of items that nothing else uses, such as `row.notes` for `rows.note`. Each name is told once. */
function misspeltItemFields(
  source: string,
  unused: string[],
  { fields, leaves }: Pick<UnusedNames, "fields" | "leaves">,
): (FileFault & { meant: string })[] {
  const inner = unused.flatMap((name) => name.split(".")[1] ?? []);
  const declared = leaves.flatMap((name) => name.split(".")[1] ?? []);
  if (inner.length === 0) return [];
  const uses = Object.values(analyzeSync(tryParse(source), { partials: false }).variables).flat();
  const found = uses.flatMap(({ segments: [variable, name], location: { row } }) => {
    if (typeof variable !== "string" || typeof name !== "string") return [];
    if (fields.includes(variable) || variable === "brand" || declared.includes(name)) return [];
    const nearest = nearestName(name, inner);
    if (nearest === undefined) return [];
    const reason = `undefined variable: ${variable}.${name}. Did you mean "${variable}.${nearest}"?`;
    return { file: MARKUP_FILE, line: row, reason, meant: nearest };
  });
  return found.filter(({ reason }, index) => found.findIndex((other) => other.reason === reason) === index);
}

/** A declared name that the markup does not use, and how it would. */
export type Unused = { name: string; what: string; use: string };

type UnusedNames = {
  source: string;
  unused: Unused[];
  fields: string[];
  /** The names of fields with those of items, as `rows.name`. */
  leaves: string[];
};

/** The faults for fields that the markup does not use. A misspelt use is told instead, where there is one. */
export function unusedFaults({ source, unused, fields, leaves }: UnusedNames): FileFault[] {
  if (unused.length === 0) return [];
  const misspelt = undefinedVariables(source, [...fields, "brand"]);
  const names = unused.map(({ name }) => name);
  const ofItems = misspeltItemFields(source, names, { fields, leaves });
  const meant = [
    ...misspelt.map(({ name }) => nearestName(name, names)),
    ...names.filter((name) => ofItems.some((fault) => fault.meant === name.split(".")[1])),
  ];
  const faultOf = ({ name, what, use }: Unused): FileFault => ({
    file: MARKUP_FILE,
    line: 1,
    reason: `The ${what} "${name}" is declared but not used. Write ${use} where it is shown, or remove it from template.json.`,
  });
  return [
    ...misspelt.map(({ name, line }) => ({ file: MARKUP_FILE, line, reason: describeUndefined(name, fields) })),
    ...ofItems.map(({ meant: _, ...fault }) => fault),
    ...unused.filter(({ name }) => !meant.includes(name)).map(faultOf),
  ];
}
