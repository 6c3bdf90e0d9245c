import type { Coverage } from "#lib/fonts/coverage.ts";

/** A family that a style sheet declares from a file of the template or from a bundled face. */
export type OwnFamily = {
  /** The bundled family of its face; absent for a file of the template. */
  bundled?: string;
  /** The characters that its files have. Absent where they are not known. */
  glyphs?: Coverage;
  /** In em. */
  ascent?: number;
  descent?: number;
};

/** The font families that a style sheet uses. */
export type DocumentFonts = {
  /** Each list of families as written: names, and the generic family at its end. */
  lists: string[][];
  own: Record<string, OwnFamily>;
};
