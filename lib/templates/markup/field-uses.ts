/** An output or a tag of Liquid. */
const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** What is not a variable inside of it: strings, filters such as `| number`, and names of arguments such as `digits:`. */
const OTHER_WORDS = /"[^"]*"|'[^']*'|\|\s*\w+|\b\w+\s*:/g;

/**
 * Finds the first output or tag of Liquid that names a field. A filter or an argument of the same name does not.
 * @returns its index in the source, or -1
 */
export function indexOfUse(source: string, name: string): number {
  return usesOf(source, name)[0] ?? -1;
}

function usesOf(source: string, name: string): number[] {
  const named = new RegExp(`\\b${name}\\b`);
  const uses = [...source.matchAll(LIQUID)].filter(([liquid]) => named.test(liquid.replaceAll(OTHER_WORDS, " ")));
  return uses.map(({ index }) => index);
}

/** As {@link indexOfUse}, for the first use in an attribute, where there is one. */
export function indexInAttribute(source: string, { name, attribute }: { name: string; attribute: string }): number {
  const before = new RegExp(`\\s${attribute}\\s*=\\s*(?:"[^"]*|'[^']*)$`, "i");
  const uses = usesOf(source, name);
  return uses.find((index) => before.test(source.slice(0, index))) ?? uses[0] ?? -1;
}
