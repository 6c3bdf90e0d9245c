import type { Atom } from "#lib/type/fit/lines/atom.ts";

/** The atoms of a text whose letters are all as wide as they are high, with the ink of Latin capitals. */
export function letters(text: string, ink: { ascent: number; descent: number; isStacked?: boolean } = INK): Atom[] {
  let end = 0;
  return Array.from(text, (character) => {
    end += character.length;
    const [isSpace, isHyphen] = [/\s/.test(character), character === "\u00ad"];
    const level = isSpace ? 0 : isHyphen ? 1 : 2;
    const width = isHyphen || character === "\n" ? 0 : 1;
    const drawn = isSpace ? { ascent: 0, descent: 0 } : ink;
    const rest = {
      hyphen: isHyphen ? 1 : 0,
      isForced: character === "\n",
      isStacked: false,
      left: 0,
      right: 0,
      trimStart: 0,
      trimEnd: 0,
    };
    return { text: character, end, width, isSpace, level, ...rest, ...drawn };
  });
}

const INK = { ascent: 0.7, descent: 0.2 };
