import type { Atom } from "./paragraph.ts";

/** Finds phrases in texts that are written without spaces. The page gets it as source text, so it refers to nothing outside itself but types. */
export class JapanesePhrases {
  /** In Japanese and Chinese, where a line may end after any character, breaks between phrases are better. */
  keep(atoms: Atom[], language: string): void {
    const isJapanese = language.startsWith("ja");
    if (!isJapanese && !language.startsWith("zh")) return;
    const text = atoms.map((atom) => atom.text).join("");
    const starts = new Set<number>();
    let previous = "";
    for (const { segment, index } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
      if (!isJapanese || !this.continuesPhrase(segment, previous)) starts.add(index);
      previous = segment;
    }
    let position = 0;
    for (const [index, atom] of atoms.entries()) {
      position += atom.text.length;
      const next = atoms[index + 1]?.text ?? "";
      const isInside =
        /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/u.test(next) && /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/u.test(atom.text);
      if (atom.level === 0 && isInside && !starts.has(position)) atom.level = 1;
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
}
