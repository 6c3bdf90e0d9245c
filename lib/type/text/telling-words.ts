/**
 * Letters that tell a language among those of its script, mostly languages that the library does not know and would take for Russian,
 * Belarusian, Persian or Arabic. Languages share some of these letters, so the first rule that matches counts.
 */
const TELLING_LETTERS: Record<string, [letters: RegExp, language: string][]> = {
  latin: [[/ß/, "de"]],
  cyrillic: [
    [/[ҙҫҡ]/iu, "ba"],
    [/[ѓќѕ]/iu, "mk"],
    [/[ӣӯҷ]/iu, "tg"],
    [/ҳ|^(?=.*ў).*[ғқ]/isu, "uz-Cyrl"],
    [/[ғқұ]|^(?=.*[әңөүһ]).*і/isu, "kk"],
    [/[әҗ]/iu, "tt"],
    [/ң/iu, "ky"],
    // Mongolian has п and к only in foreign words, Kyrgyz has х and в only there.
    [/^(?=.*[кп])(?!.*[хв]).*[өү]/isu, "ky"],
    [/[өү]/iu, "mn"],
  ],
  arabic: [
    [/[ٻڀٺٽڦڄڃڍڌڏڊڳڱ]/u, "sd"],
    [/[ټډړږښڼځڅۍ]/u, "ps"],
    [/^(?=.*[ۈې]).*ە/su, "ug"],
    [/[ەێڵڕ]/u, "ckb"],
    [/[ٹڈڑںہۂۃے]/u, "ur"],
  ],
};

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
 * The language of a text that has letters or words of one language only, for languages that the library does not know, and
 * for texts too short for it.
 * @param script that of most of the text, by its Unicode name in lower case
 * @returns a BCP 47 tag, or "" where nothing tells
 */
export function tellingLanguage(text: string, script: string): string {
  const byLetters = TELLING_LETTERS[script]?.find(([letters]) => letters.test(text));
  if (byLetters) return byLetters[1];
  return script === "latin" && isSwahili(text) ? "sw" : "";
}
