/** A part of a text, and where it begins in the text. */
type PartAt<Part> = { part: Part; offset: number };

/**
 * Adds to consecutive parts of a text their offsets, which serve as React keys. `textOf` must not return an empty text.
 */
export function withOffsets<Part>(parts: readonly Part[], textOf: (part: Part) => string): PartAt<Part>[] {
  let end = 0;
  return parts.map((part) => {
    const offset = end;
    end += textOf(part).length;
    return { part, offset };
  });
}
