/** Letters of one language among those of its script, and what the rest of the text has to match. */
type LetterRule = [letters: RegExp, language: string, rest?: RegExp];

/**
 * Mostly for languages that the library does not know and would take for Russian, Belarusian, Persian or Arabic. Languages share some of
 * these letters, so the first rule that applies counts.
 */
const LETTER_RULES: Record<string, LetterRule[]> = {
  cyrillic: [
    [/[ҙҫҡ]/iu, "ba"],
    [/[ӣӯҷ]/iu, "tg"],
    [/ҳ/iu, "uz-Cyrl"],
    [/[ғқ]/iu, "uz-Cyrl", /ў/iu],
    [/[ғқұ]/iu, "kk"],
    [/[әңөүһ]/iu, "kk", /і/iu],
    [/[әҗ]/iu, "tt"],
    [/ң/iu, "ky"],
    // Mongolian has п and к only in foreign words, Kyrgyz has х and в only there.
    [/[өү]/iu, "ky", /^(?=.*[кп])(?!.*[хв])/isu],
    [/[өү]/iu, "mn"],
  ],
  arabic: [
    [/[ٻڀٺٽڦڄڃڍڌڏڊڳڱ]/u, "sd"],
    [/ە/u, "ug", /[ۈې]/u],
    [/[ټډړږښڼځڅۍې]/u, "ps", /[ټډړږښڼځڅۍ]/u],
    [/[ەێڵڕ]/u, "ckb"],
    [/[ٹڈڑںہۂۃے]/u, "ur"],
  ],
};

/** In a text of the language itself, at least one word in this many has its letters. In others, a name may have them. */
const WORDS_FOR_ONE = 10;

/** A sentence with so many words in small letters, of which none has the letters, has them in its names only. */
const SMALL_WORDS = 4;

/** Only German writes this letter. */
const GERMAN = /ß/;

/** Letters of Macedonian, where none is of a language that may have a Macedonian name in its texts. */
const MACEDONIAN = /^(?!.*[ђћщъьыэюяйіїєў]).*[ѓќѕ]/isu;

/** Whether letters are those of the language of a text, rather than of a name in it. */
function areOwnLetters(letters: RegExp, words: string[]): boolean {
  const telling = words.filter((word) => letters.test(word));
  if (telling.length * WORDS_FOR_ONE < words.length || telling.length === 0) return false;
  const isSmall = (word: string) => /^\p{Ll}/u.test(word);
  return telling.some(isSmall) || words.filter(isSmall).length < SMALL_WORDS;
}

function languageByLetters(text: string, script: string): string {
  if (script === "latin" && GERMAN.test(text)) return "de";
  if (script === "cyrillic" && MACEDONIAN.test(text)) return "mk";
  const rules = (LETTER_RULES[script] ?? []).filter(([letters]) => letters.test(text));
  if (rules.length === 0) return "";
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const own = rules.find(([letters, , rest]) => areOwnLetters(letters, words) && (rest?.test(text) ?? true));
  return own?.[1] ?? "";
}

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
  const byLetters = languageByLetters(text, script);
  if (byLetters !== "") return byLetters;
  return script === "latin" && isSwahili(text) ? "sw" : "";
}
