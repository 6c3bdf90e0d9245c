/** A stretch of text in one script, as offsets in the text of its block. */
export type Run = { start: number; end: number; script: string };

/** The text of a block. `isCode`: it is program code, whose characters stand in columns. */
type RunText = { text: string; language: string; isCode: boolean };

/** Splits texts by script. The page gets it as source text, so it refers to nothing outside itself. */
export class ScriptRuns {
  /** The script of each character beyond ASCII. */
  scripts: Map<string, string>;

  /** @param scripts the characters beyond ASCII of each script */
  constructor(scripts: Record<string, string>) {
    const pairs = Object.entries(scripts).flatMap(([script, members]) => Array.from(members, (each) => [each, script]));
    this.scripts = new Map(pairs as [string, string][]);
  }

  /** The script of a letter, or "" for a character that any script may contain. */
  scriptOf(character: string): string {
    return /[A-Za-z]/.test(character) ? "Latin" : (this.scripts.get(character) ?? "");
  }

  /** Splits the text of a block into runs of one script. Spaces, signs and punctuation belong to a run beside them. */
  of({ text, language, isCode }: RunText): Run[] {
    const quotesAreHan = /^(?:zh|ja)/.test(language) && /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(text);
    const following = this.followingScripts(text);
    const runs: Run[] = [];
    let open: Run = { start: 0, end: 0, script: "" };
    let index = 0;
    for (const [at, character] of Array.from(text).entries()) {
      const isSignOfCode = isCode && /[!-~]/.test(character);
      const found = isSignOfCode
        ? "Latin"
        : this.strongScript({ text, index, character, previous: open.script, next: following[at] ?? "", quotesAreHan });
      if (found && open.script && found !== open.script) {
        const start = isCode ? index : this.startOfRun(text, { from: open.start, to: index });
        runs.push({ ...open, end: start });
        open = { start, end: start, script: found };
      } else if (found) open.script = found;
      index += character.length;
    }
    return [...runs, { ...open, end: text.length, script: open.script || "Latin" }];
  }

  strongScript(at: {
    text: string;
    index: number;
    character: string;
    previous: string;
    next: string;
    quotesAreHan: boolean;
  }): string {
    const { text, index, character, previous, next, quotesAreHan } = at;
    const hasCase = /^(?:Latin|Greek|Cyrillic|Armenian|)$/;
    if (quotesAreHan && /[“”‘’—…·‥―、。「」『』（）〈〉《》【】〔〕！？，．：；]/.test(character)) {
      const isInWord = /[A-Za-z]/.test(text[index - 1] ?? "") && /[A-Za-z]/.test(text[index + 1] ?? "");
      return isInWord ? "" : "Han";
    }
    if (/[0-9]/.test(character)) {
      // The bundled faces of these two scripts have digits.
      if (/^(?:Arabic|Hebrew)+$/.test(previous + next)) return "";
      return hasCase.test(previous) && hasCase.test(next) ? "" : "Latin";
    }
    return this.scriptOf(character);
  }

  /** For each character, the script of the first letter from there on. */
  followingScripts(text: string): string[] {
    const scripts = Array.from(text, (character) => this.scriptOf(character));
    for (let at = scripts.length - 2; at >= 0; at--) scripts[at] ||= scripts[at + 1] ?? "";
    return scripts;
  }

  /**
   * Where a run starts whose first letter is at `to`: signs that open its first word belong to it. East Asian brackets do not,
   * because Latin fonts lack them.
   */
  startOfRun(text: string, { from, to }: { from: number; to: number }): number {
    const between = text.slice(from, to);
    const word = /\s([^\s\p{L}\p{M}0-9「『（〈《【〔]*)$/u.exec(between);
    if (word) return to - (word[1]?.length ?? 0);
    return to - (/(?:(?![「『（〈《【〔])[\p{Ps}\p{Pi}\p{Sc}])*$/u.exec(between)?.[0].length ?? 0);
  }
}
