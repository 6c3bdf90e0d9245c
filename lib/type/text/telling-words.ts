/** Only German writes this letter. */
const GERMAN = /ß/;

/** Frequent words of Swahili that its neighbours in the library's list do not have. */
const SWAHILI = new Set(
  "katika kwa kila kwenye kutoka pamoja baada kabla wetu yetu yako wako yake wake hii huu hiyo watu mtu cha vya karibu habari jinsi kesho usiku siku mji wa ya za na ni".split(
    " ",
  ),
);
/** Words of the list that other languages have too. They count only beside others. */
const COMMON = new Set("wa ya za na ni cha mtu".split(" "));
/** The part of a text that must be such words, and how many different ones. */
const SWAHILI_SHARE = 0.3;
const SWAHILI_WORDS = 2;

function isSwahili(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const found = words.filter((word) => SWAHILI.has(word));
  const different = new Set(found);
  return (
    different.size >= SWAHILI_WORDS &&
    found.length >= words.length * SWAHILI_SHARE &&
    [...different].some((word) => !COMMON.has(word))
  );
}

/**
 * The language of a text in Latin letters that has a letter or words of one language only, for languages that the library
 * does not know, and for texts too short for it.
 * @returns a BCP 47 tag, or "" where nothing tells
 */
export function tellingLanguage(text: string): string {
  if (GERMAN.test(text)) return "de";
  return isSwahili(text) ? "sw" : "";
}
