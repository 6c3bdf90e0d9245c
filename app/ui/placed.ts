/** A part of a text, and where it begins in that. */
type Placed<Part> = { part: Part; offset: number };

/**
 * Parts that stand one behind the other, each with its place, which is a key that no other part has. `textOf` gives what a
 * part takes up, which is not nothing.
 */
export function placed<Part>(parts: readonly Part[], textOf: (part: Part) => string): Placed<Part>[] {
  let end = 0;
  return parts.map((part) => {
    const offset = end;
    end += textOf(part).length;
    return { part, offset };
  });
}
