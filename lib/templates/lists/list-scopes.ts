import type { FieldDeclaration } from "../fields/field-types.ts";

type Fields = Record<string, FieldDeclaration>;

/** What a variable holds: a list of the template, or one of its items. */
type Holds = { list: string; kind: "list" | "item" };

const TAG = /\{%-?\s*(for|endfor|tablerow|endtablerow|assign)\b\s*([^%]*?)\s*-?%\}/g;
const LOOP = /^([\w-]+)\s+in\s+([\w-]+)/;
const ASSIGNMENT = /^([\w-]+)\s*=\s*([\w-]+)(\[\d+\]|\.first|\.last)?\s*((?:\|.*)?)$/s;

/** Filters whose result is a list of the same items. */
const LIST_FILTERS =
  /^(?:slice|where|where_exp|reject|reject_exp|sort|sort_natural|reverse|uniq|compact|concat|push|unshift)$/;

/** What filters make of a list. Undefined for something that has no items of it. */
function filtered(held: Holds, filters: string): Holds | undefined {
  return filters
    .split("|")
    .slice(1)
    .map((filter) => /^\s*(\w+)/.exec(filter)?.[1] ?? "")
    .reduce<Holds | undefined>((last, name) => {
      if (last?.kind !== "list") return undefined;
      if (LIST_FILTERS.test(name)) return last;
      return /^(?:first|last|find|find_exp)$/.test(name) ? { list: last.list, kind: "item" } : undefined;
    }, held);
}

function assigned(
  [, , name = "", part = "", filters = ""]: RegExpExecArray,
  holds: (name: string) => Holds | undefined,
) {
  const held = holds(name);
  const own: Holds | undefined = held && part !== "" ? { ...held, kind: "item" } : held;
  return own && filtered(own, filters);
}

/**
 * The variables at a place of the markup that hold a list or an item of one, the innermost last. It reads loops and plain
 * assignments. A mistake here is harmless, because the escape check tests the composed document.
 */
function variablesAt(source: string, { fields, offset }: { fields: Fields; offset: number }): [string, Holds][] {
  const variables: [string, Holds | undefined][] = [];
  const loops: number[] = [];
  const holds = (name: string): Holds | undefined => {
    const known = variables.findLast(([variable]) => variable === name);
    if (known) return known[1];
    return Object.hasOwn(fields, name) && fields[name]?.type === "list" ? { list: name, kind: "list" } : undefined;
  };
  for (const { index, 1: tag = "", 2: words = "" } of source.matchAll(TAG)) {
    if (index > offset) break;
    if (tag.startsWith("end")) variables.length = Math.min(variables.length, loops.pop() ?? 0);
    else if (tag === "assign") {
      const match = ASSIGNMENT.exec(words);
      if (match?.[1]) variables.push([match[1], assigned(match, holds)]);
    } else {
      loops.push(variables.length);
      const [, variable, collection = ""] = LOOP.exec(words) ?? [];
      const held = holds(collection);
      if (variable) variables.push([variable, held?.kind === "list" ? { ...held, kind: "item" } : undefined]);
    }
  }
  return variables.flatMap(([name, held]) => (held ? [[name, held]] : []));
}

/** An output such as `{{ row.photo }}`: its start, the variable and the rest. */
const ITEM_OUTPUT = /^(\{\{-?\s*)([\w-]+)(\.\w.*)$/s;

/** An output of an item's field with the name of its list: `{{ rows.photo }}` for `{{ row.photo }}`. */
export function withListNames(output: string, at: { source: string; fields: Fields; offset: number }): string {
  const [, start = "", variable, rest = ""] = ITEM_OUTPUT.exec(output) ?? [];
  if (variable === undefined) return output;
  const [, held] = variablesAt(at.source, at).findLast(([name]) => name === variable) ?? [];
  return held?.kind === "item" ? start + held.list + rest : output;
}

/** The innermost variable that is an item of a list at a place of the markup. */
export function itemOfList(source: string, at: { fields: Fields; offset: number; list: string }): string | undefined {
  const [name] = variablesAt(source, at).findLast(([, { list, kind }]) => list === at.list && kind === "item") ?? [];
  return name;
}
