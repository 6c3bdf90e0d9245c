/**
 * Characters without white space that no line can be divided at. Scripts whose lines are divided between letters, or at words that a
 * dictionary tells, are left out. With a least length, the pattern would read a shorter word again from each of its letters.
 */
const WORD =
  /[^\s<>\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Yi}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u3000-\u303f\uff00-\uffef]+/gu;

/** Of so many characters, more than any sensible word has. */
const LONG_WORD_CHARS = 200;

/** How often a word may change between blocks of Unicode: each change begins a piece that the browser lays out by itself. */
const MAX_CHANGES = 100;

/**
 * Letters that join with their neighbours, with their marks. Their shapes depend on the letters around them, in Mongolian on all before, so
 * that the browser shapes the rest of a word again for each line: 5,000 letters took 1 to 5 s, and 50,000 more than 30.
 */
const JOINED_LETTERS =
  /(?:(?![\p{M}\p{Cf}])[\p{sc=Mong}\p{sc=Nkoo}\p{sc=Arab}\p{sc=Syrc}\p{sc=Adlm}\p{sc=Phag}\u0640][\p{M}\p{Cf}]*)+/gu;

/** More letters than any word has. An element with so many is shaped by itself. */
const PIECE_LETTERS = 100;

/** One of them, with its marks. */
const LETTER = /[^\p{M}\p{Cf}][\p{M}\p{Cf}]*/gu;

/** Burmese letters that stand below each other. The browser finds the place of each from all of them. Words have two or three. */
const BURMESE_STACK = /(?:[\u1000-\u102a]\u1039){20}/g;

/** The characters of a block have consecutive code points, 128 or a multiple in most blocks. */
const BLOCK_BITS = 7;

const ELEMENT = "long-word";

/** The style of {@link ELEMENT}. */
export const LONG_WORD_RULE = `${ELEMENT}{line-break:anywhere}`;

function isLong(word: string): boolean {
  return word.length >= LONG_WORD_CHARS && [...word].length >= LONG_WORD_CHARS;
}

function changesOf(word: string): number {
  let changes = 0;
  let last = 0;
  for (const character of word) {
    const block = (character.codePointAt(0) ?? 0) >> BLOCK_BITS;
    if (block !== last) changes++;
    last = block;
  }
  return changes;
}

const divided = (word: string) => `<${ELEMENT}>${word}</${ELEMENT}>`;

/** Puts each hundred of joined letters into an element. Those behind the last hundred stay as they are. */
function divideJoined(word: string): string {
  if (word.length < PIECE_LETTERS) return word;
  const letters = word.match(LETTER) ?? [];
  const whole = letters.length - (letters.length % PIECE_LETTERS);
  const pieces: string[] = [];
  for (let at = 0; at < whole; at += PIECE_LETTERS)
    pieces.push(divided(letters.slice(at, at + PIECE_LETTERS).join("")));
  return pieces.join("") + letters.slice(whole).join("");
}

/**
 * Lets lines end anywhere in a word of hundreds of pieces, of a hundred joined letters, or of twenty that are stacked. A line that overflows
 * within a word makes the browser look at the rest of the word again, for each line: 2,500 letters of two alphabets took 1.5 s instead of 0.2.
 * @param html a text whose characters are escaped, with or without tags
 */
export function divideLongWords(html: string): string {
  const pieces = html.replace(WORD, (word) => (isLong(word) && changesOf(word) > MAX_CHANGES ? divided(word) : word));
  return pieces.replace(JOINED_LETTERS, divideJoined).replace(BURMESE_STACK, divided);
}
