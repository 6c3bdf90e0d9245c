import type { Segmenters } from "../../segmenters.ts";
import type { Atom } from "./atom.ts";

/**
 * Finds phrases in texts that are written without spaces. The page gets it as source text, so it refers to nothing outside
 * itself but types.
 */
export class JapanesePhrases {
  segmenters: Segmenters;

  constructor(segmenters: Segmenters) {
    this.segmenters = segmenters;
  }

  /** In Japanese and Chinese, where a line may end after any character, breaks between phrases are better. */
  keep(atoms: Atom[], language: string): void {
    const isJapanese = language.startsWith("ja");
    if (!isJapanese && !language.startsWith("zh")) return;
    const text = atoms.map((atom) => atom.text).join("");
    const starts = new Set<number>();
    const words = new Set<number>();
    let previous = "";
    const readable = isJapanese ? this.withHiragana(text) : text;
    for (const { segment, index } of this.segmenters.wordsOf(language).segment(readable)) {
      const continues = isJapanese ? this.continuesPhrase(segment, previous) : this.continuesWord(segment, previous);
      if (!continues) starts.add(index);
      if (!isJapanese || !this.continuesCompound(segment, previous)) words.add(index);
      previous = segment;
    }
    if (isJapanese) this.joinGenitives(starts, readable);
    this.joinQuotations(starts, text);
    let position = 0;
    for (const [index, atom] of atoms.entries()) {
      position += atom.text.length;
      const next = atoms[index + 1]?.text ?? "";
      // A dash ends a line, and does not begin one.
      if (/^[—―]/.test(next) && !atom.isSpace) atom.level = 2;
      const isInside =
        /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/u.test(next) && /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/u.test(atom.text);
      if (atom.level > 0 || !isInside || starts.has(position)) continue;
      const isKanji = /\p{sc=Han}/u.test(next) && /\p{sc=Han}/u.test(atom.text);
      atom.level = isKanji && !words.has(position) ? 2 : 1;
    }
  }

  /** Particles and endings, which are written in hiragana, follow the word that they belong to. Kanji words form compounds. */
  continuesPhrase(word: string, previous: string): boolean {
    const LONGEST_ENDING = 2;
    if (previous === "" || /[\s\p{P}]$/u.test(previous)) return false;
    if (/^[ぁぃぅぇぉっゃゅょァィゥェォッャュョー]/.test(word)) return true;
    const isKana = /^\p{sc=Hira}+$/u.test(word);
    if (isKana) return !/^\p{sc=Hira}+$/u.test(previous) || word.length <= LONGEST_ENDING;
    return /^\p{sc=Han}+$/u.test(word) && /\p{sc=Han}$/u.test(previous);
  }

  /** Chinese particles and words for a place follow the word that they belong to. */
  continuesWord(word: string, previous: string): boolean {
    return /^(?:[的地得了着著過过們们里裡中上下]|之[前後后間间中])$/u.test(word) && /\p{sc=Han}$/u.test(previous);
  }

  /**
   * The segmenter divides numbers from each other and from what they count, and 団 from 交響楽団. A line may not end there,
   * unless nothing else helps. It may end between words of a compound.
   */
  continuesCompound(word: string, previous: string): boolean {
    const NUMBERS = "〇一二三四五六七八九十百千万億兆";
    const COUNTERS = "円銭年月日時分秒人名席枚回部階丁番号歳度割点冊本台件組週世代目";
    if (new RegExp(`[${NUMBERS}]$`).test(previous)) return new RegExp(`^[${NUMBERS}]*[${COUNTERS}]*$`).test(word);
    return (
      /^\p{sc=Han}$/u.test(word) &&
      /\p{sc=Han}{2}$/u.test(previous) &&
      !/[第新全各大小両約計毎御〇一二三四五六七八九十百千万億兆]/.test(word)
    );
  }

  /**
   * Older and official texts write particles and endings in katakana, which the segmenter knows in hiragana only. They have no
   * hiragana at all, no long vowel of a loanword, and a particle between kanji.
   */
  withHiragana(text: string): string {
    const hasParticle = /\p{sc=Han}[ガトニノハモヲ](?:[\p{sc=Han}\p{P}]|$)|ヲ/u.test(text);
    if (!hasParticle || /[\p{sc=Hira}ー]/u.test(text)) return text;
    const OFFSET = 0x60;
    return text.replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - OFFSET));
  }

  /** In 夏の夜の寄席, 夜の belongs to 夏の before it, so the better break is the one after both. */
  joinGenitives(starts: Set<number>, text: string): void {
    const LONGEST = 3;
    for (const start of [...starts].sort((a, b) => b - a)) {
      const end = [...starts].filter((other) => other > start).sort((a, b) => a - b)[0];
      if (end === undefined || end - start > LONGEST || text[start - 1] !== "の") continue;
      if (/^\p{sc=Han}+の$/u.test(text.slice(start, end))) starts.delete(start);
    }
  }

  /** A word or two in quotes, such as a title, stay together. A sentence does not, because that would make it small. */
  joinQuotations(starts: Set<number>, text: string): void {
    for (const { 0: quotation, index } of text.matchAll(/[“‘「『《〈]\p{L}{1,6}[”’」』》〉]/gu))
      for (const start of starts) if (start > index && start < index + quotation.length) starts.delete(start);
  }
}
