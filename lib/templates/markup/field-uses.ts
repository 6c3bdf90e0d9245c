/** An output or a tag of Liquid. */
const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** What is not a variable inside of it: strings, filters such as `| number`, and names of arguments such as `digits:`. */
const OTHER_WORDS = /"[^"]*"|'[^']*'|\|\s*\w+|\b\w+\s*:/g;

/**
 * Finds the first output or tag of Liquid that names a field. A filter or an argument of the same name does not.
 * @returns its index in the source, or -1
 */
export function indexOfUse(source: string, name: string): number {
  const named = new RegExp(`\\b${name}\\b`);
  const use = [...source.matchAll(LIQUID)].find(([liquid]) => named.test(liquid.replaceAll(OTHER_WORDS, " ")));
  return use?.index ?? -1;
}
