import { keptInPage } from "../kept-in-page.ts";
import { ChineseDashes } from "./chinese-dashes.ts";
import { PageTexts } from "./page-texts.ts";
import { type Run, ScriptRuns } from "./script-runs.ts";

/** The characters that a family lacks, and the letters with marks that it cannot place. */
export type Lack = { characters: string; clusters: string[] };

/** Which faces a document draws its words in. Families are names as in CSS, without quotes. */
export type FaceTable = {
  /** The characters of the document beyond ASCII by script, Han characters with kana and Hangul as `Han`. */
  scripts: Record<string, string>;
  /** What a family lacks of the document: a companion, of the letters of the scripts that it draws, and of all digits and signs. */
  lacks: Record<string, Lack>;
  /** The named families after the first one of a list. */
  chains: Record<string, string[]>;
  /** First family of a list → script → companions, the best first. */
  companions: Record<string, Record<string, string[]>>;
};

/** A text node, with its place in the text of its block. `isItem`: a flex or grid container lays it out by itself. */
type Piece = { node: Text; start: number; text: string; families: string; first: string; isItem: boolean };

type Assignment = { start: number; end: number; family: string };

/** `isCode`: the text is program code, whose characters stand in columns. */
type Block = { element: Element; pieces: Piece[]; text: string; language: string; isCode: boolean };

/**
 * Runs in the page before its texts are fitted, and gives each word that its family cannot draw whole to a companion.
 * The page gets it as source text, so it refers to nothing outside itself. It is a class because minifiers keep the
 * names of methods.
 */
class Faces {
  table: FaceTable;
  texts: PageTexts;
  runs: ScriptRuns;
  lacks = new Map<string, Set<string>>();

  constructor(table: FaceTable, { texts, runs }: { texts: PageTexts; runs: ScriptRuns }) {
    this.table = table;
    this.texts = texts;
    this.runs = runs;
  }

  assign(): void {
    for (const block of this.findBlocks()) {
      const runs = this.runs.of(block);
      // Once for each family, because a block may have thousands of texts and of runs.
      const known = new Map<string, Assignment[]>();
      for (const piece of block.pieces) {
        const { first } = piece;
        const assignments = known.get(first) ?? runs.flatMap((run) => this.assignRun(run, first, block));
        known.set(first, assignments);
        const own = this.assignmentsIn(piece, assignments);
        if (own.length > 0) this.apply(piece, own);
      }
    }
  }

  /** The texts of the document by the block that lays them out together. */
  findBlocks(): Block[] {
    const blocks = new Map<Element, Block>();
    for (const node of this.texts.nodes()) {
      const { data: text, parentElement: parent } = node;
      if (!parent || text.trim() === "") continue;
      const { fontFamily: families, display } = getComputedStyle(parent);
      const element = this.blockOf(parent);
      const language = parent.closest<HTMLElement>("[lang]")?.lang ?? "";
      const isCode = parent.closest("code-block") !== null;
      const block = blocks.get(element) ?? { element, pieces: [], text: "", language, isCode };
      block.pieces.push({
        node,
        start: block.text.length,
        text,
        families,
        first: this.texts.firstFamily(families),
        isItem: /flex|grid/.test(display),
      });
      block.text += text;
      blocks.set(element, block);
    }
    return Array.from(blocks.values());
  }

  blockOf(element: Element): Element {
    let at = element;
    while (/^(?:inline|contents)$/.test(getComputedStyle(at).display) && at.parentElement) at = at.parentElement;
    return at;
  }

  /** What a family lacks of a text. */
  lackedIn(family: string, text: string): string {
    const lacked = this.lackOf(family);
    if (lacked.size === 0) return "";
    const composed = text.normalize("NFC");
    const clusters = composed.match(/[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]\p{M}+/gu) ?? [];
    return [...composed, ...clusters].filter((each) => lacked.has(each)).join("");
  }

  /** Looked up for each letter, because a document may lack tens of thousands. */
  lackOf(family: string): Set<string> {
    const { characters = "", clusters = [] } = this.table.lacks[family] ?? {};
    const lacked = this.lacks.get(family) ?? new Set([...characters, ...clusters]);
    this.lacks.set(family, lacked);
    return lacked;
  }

  /** The stretches of a run that another family draws than the first one of a list. */
  assignRun(run: Run, first: string, { text, language }: Block): Assignment[] {
    if (this.lackedIn(first, text.slice(run.start, run.end)) === "") return [];
    const stretches = this.lackingStretches(run, { text, first });
    return stretches.flatMap(({ start, end }) => {
      const stretch = text.slice(start, end);
      const family = this.companionOf(first, { text: stretch, script: run.script, language });
      return family ? [{ start, end, family }] : [];
    });
  }

  /** The parts of assignments in a piece, with their places in it. @param assignments those of its block, in its order */
  assignmentsIn({ start, text }: Piece, assignments: Assignment[]): Assignment[] {
    const end = start + text.length;
    let [low, high] = [0, assignments.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((assignments[middle]?.end ?? 0) > start) high = middle;
      else low = middle + 1;
    }
    const own: Assignment[] = [];
    for (let at = assignments[low]; at && at.start < end; at = assignments[++low])
      own.push({ start: Math.max(at.start - start, 0), end: Math.min(at.end, end) - start, family: at.family });
    return own;
  }

  /** The whole run if the family lacks a letter of it, so that a text keeps one face; else the words with other signs. */
  lackingStretches({ start, end }: Run, { text, first }: { text: string; first: string }): Omit<Run, "script">[] {
    const words = Array.from(text.slice(start, end).matchAll(/\S+/gu), ({ index, 0: word }) => ({
      start: start + index,
      end: start + index + word.length,
    }));
    const lacked = (word: Omit<Run, "script">) => this.lackedIn(first, text.slice(word.start, word.end));
    const [one, last] = [words[0], words.at(-1)];
    const lacksLetters = words.some((word) => /[\p{L}\p{M}]/u.test(lacked(word)));
    return lacksLetters && one && last
      ? [{ start: one.start, end: last.end }]
      : words.filter((word) => lacked(word) !== "");
  }

  /** The first family that has a whole stretch: one of the same list, or a companion. */
  companionOf(
    first: string,
    { text, script, language }: { text: string; script: string; language: string },
  ): string | undefined {
    const of = this.table.companions[first] ?? {};
    const key = script === "Han" ? `Han:${this.hanLanguage(text, language)}` : script;
    const urdu = script === "Arabic" && /^(?:ur|ks)\b/.test(language) ? of["Arabic:ur"] : undefined;
    const companions = urdu ?? of[key] ?? [];
    const all = [...(this.table.chains[first] ?? []), ...companions];
    const found = all.find((family) => this.lackedIn(family, text) === "");
    return found ?? (script === "Latin" ? undefined : companions[0]);
  }

  hanLanguage(text: string, language: string): string {
    if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return "ja";
    if (/\p{sc=Hang}/u.test(text)) return "ko";
    if (/\p{sc=Bopo}/u.test(text)) return "zh-Hant";
    if (/^(?:ja|ko)\b/.test(language)) return language.slice(0, 2);
    return /^zh-(?:Hant|TW|HK|MO)/i.test(language) ? "zh-Hant" : "zh-Hans";
  }

  /** Sets the family on the parent of a text that it draws whole, and otherwise on new elements around its words. */
  apply({ node, text, families, isItem }: Piece, assignments: Assignment[]): void {
    const parent = node.parentElement;
    if (!parent) return;
    const [only] = assignments;
    const isAll = only && assignments.length === 1 && text.slice(only.start, only.end) === text.trim();
    if (isAll && parent.childNodes.length === 1) {
      for (const element of this.elementsAround(parent, families)) this.setFamily(element, only.family, families);
      return;
    }
    const parts = document.createDocumentFragment();
    let at = 0;
    for (const { start, end, family } of assignments) {
      parts.append(text.slice(at, start));
      const wrap = this.texts.inlineElement(parent);
      wrap.textContent = text.slice(start, end);
      this.setFamily(wrap, family, families);
      parts.append(wrap);
      at = end;
    }
    parts.append(text.slice(at));
    // The container would lay out each part by itself.
    const whole = isItem ? this.texts.inlineElement(parent) : undefined;
    whole?.append(parts);
    node.replaceWith(whole ?? parts);
  }

  /** The element and those around it with the same text and family: one of them is fitted, and each may have a rule of its own. */
  elementsAround(element: Element, families: string): Element[] {
    const { parentElement: outer } = element;
    const isSame = outer && outer !== document.body && this.isOnlyText(element);
    return isSame && getComputedStyle(outer).fontFamily === families
      ? [element, ...this.elementsAround(outer, families)]
      : [element];
  }

  /** Whether the nodes beside an element have no text. The nearest are asked first, because there may be thousands. */
  isOnlyText(element: Element): boolean {
    for (const side of ["previousSibling", "nextSibling"] as const)
      for (let node = element[side]; node; node = node[side])
        if (node.nodeType !== Node.COMMENT_NODE && node.textContent?.trim()) return false;
    return true;
  }

  setFamily(element: Element, family: string, families: string): void {
    (element as HTMLElement | SVGElement).style.fontFamily = `"${family}", ${families}`;
  }
}

/** The JavaScript expression that assigns the faces of a document. Its value is undefined. */
export function assignFacesExpression(table: FaceTable): string {
  const [texts, runs, faces, dashes] = [
    keptInPage("page-texts", PageTexts.toString()),
    keptInPage("script-runs", ScriptRuns.toString()),
    keptInPage("faces", Faces.toString()),
    keptInPage("chinese-dashes", ChineseDashes.toString()),
  ];
  return `((table, texts) => {
    new ${faces}(table, { texts, runs: new ${runs}(table.scripts) }).assign();
    new ${dashes}(texts).thicken();
  })(${JSON.stringify(table)}, new ${texts}())`;
}
