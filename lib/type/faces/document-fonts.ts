/** A family that a style sheet declares from a file of the template or from a bundled face. */
export type OwnFamily = {
  /** The bundled family of its face; absent for a file of the template. */
  bundled?: string;
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
