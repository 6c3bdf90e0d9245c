/** A stretch of text, as offsets, and the cells that it is drawn in; or a sign that lies on its side. */
type PlacedRun = { start: number; cells: string[] } | { start: number; sign: string };

/** A text node, and where it starts in the text of its element. */
type Piece = { node: Text; start: number };

/**
 * Sets short numbers and acronyms upright in vertical Japanese, Chinese and Korean text: two digits side by side in one cell,
 * other numbers of up to four digits and acronyms of up to three letters with a cell for each. Longer ones lie on their side,
 * as Latin words do, together with their apostrophes and quotation marks. In every language, joined emoji, keycaps and Canadian
 * syllabics have a cell. A cell is an element `<upright-cell>`, as long as a character.
 * The page gets this class as source text, so it refers to nothing outside itself but types.
 */
export class UprightCells {
  /** Latin words and numbers, with their marks and the signs and spaces inside them. Enclosing marks are drawn around their cell. */
  words = /[A-Za-z0-9À-ɏ](?:[A-Za-z0-9À-ɏ\p{Mn}.,:;/\-–'’&+#@_ ]*[A-Za-z0-9À-ɏ\p{Mn}])?%?/gu;
  /** Signs after a Japanese letter. Those of a Latin word lie on their side with it. */
  exclamations = /(?<![A-Za-z0-9À-ɏ!?])[!?]{1,2}(?![A-Za-z0-9À-ɏ!?])/g;
  /** Emoji of several joined ones, which vertical text would take apart, and keycaps, which it would lay on their side. */
  emoji = /\p{RGI_Emoji_ZWJ_Sequence}|[0-9#*]\ufe0f?\u20e3/gv;
  /**
   * Words of Canadian syllabics, which stand upright, because their vowels differ in how the letters are turned. Fonts have no lengths for
   * them in vertical lines, so that browsers draw them over each other. Lines may end in longer words.
   */
  syllabics = /(?:\p{Script=Canadian_Aboriginal}\p{M}*){1,12}/gu;
  /** Browsers set these upright and as long as a character, as Chinese does. In Latin words, that leaves wide gaps. */
  quotes = /[‘’“”]/g;
  /** Before a number, a sign that lies on its side keeps the number beside it. */
  attached = /[\p{Sc}+#№.,:/]$|(?:^|[^\p{L}\p{N}])[-−–]$/u;

  placeAll(): void {
    for (const [element, pieces] of this.textsOf(document.body)) {
      const text = pieces.map(({ node }) => node.data).join("");
      const isUsual = /^(?:ja|zh|ko)/.test(element.closest<HTMLElement>("[lang]")?.lang ?? "");
      for (const run of this.runsIn(text, isUsual).toReversed()) this.place(run, pieces);
    }
  }

  /** The texts that are set vertically. */
  textsOf(root: HTMLElement): Map<Element, Piece[]> {
    const texts = new Map<Element, Piece[]>();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!(parent instanceof HTMLElement)) continue;
      const style = getComputedStyle(parent);
      if (!style.writingMode.startsWith("vertical") || style.textOrientation !== "mixed") continue;
      const element = parent.closest("[data-fit]") ?? parent;
      const pieces = texts.get(element) ?? [];
      const last = pieces.at(-1);
      pieces.push({ node, start: last ? last.start + last.node.length : 0 });
      texts.set(element, pieces);
    }
    return texts;
  }

  /** @param isUsual whether the language of the text is one that is often set vertically */
  runsIn(text: string, isUsual: boolean): PlacedRun[] {
    const emoji = Array.from(text.matchAll(this.emoji), ({ 0: one, index }) => ({ start: index, cells: [one] }));
    const syllabics = Array.from(text.matchAll(this.syllabics), ({ 0: word, index }) => ({
      start: index,
      cells: word.match(/.\p{M}*/gu) ?? [],
    }));
    if (!isUsual) return [...this.quotesIn(text, 0), ...emoji, ...syllabics].sort((a, b) => a.start - b.start);
    // The digit of a keycap is no number.
    const withoutEmoji = text.replace(this.emoji, (one) => "\ufffc".repeat(one.length));
    const words = Array.from(withoutEmoji.matchAll(this.words)).flatMap(({ 0: word, index }): PlacedRun[] => {
      // The sign before a number and the one before that have four code units at most.
      const before = text.slice(Math.max(0, index - 4), index);
      const cells = this.attached.test(before) ? [] : this.cellsOf(word);
      return cells.length > 0 ? [{ start: index, cells }] : this.quotesIn(word, index);
    });
    const signs = Array.from(text.matchAll(this.exclamations), ({ 0: sign, index }) => ({
      start: index,
      cells: [sign],
    }));
    return [...words, ...signs, ...emoji, ...syllabics].sort((a, b) => a.start - b.start);
  }

  quotesIn(text: string, from: number): PlacedRun[] {
    return Array.from(text.matchAll(this.quotes), ({ 0: sign, index }) => ({ start: from + index, sign }));
  }

  /** The cells of a word; none for a word that lies on its side. A mark is in the cell of its letter. */
  cellsOf(word: string): string[] {
    const bare = word.replace(/\p{Mn}/gu, "");
    if (!/^(?:[0-9]{1,4}%?|[A-Z0-9]{1,3}|[a-zÀ-ɏ])$/.test(bare)) return [];
    const cells = word.match(/.\p{Mn}*/gu) ?? [];
    return /^[0-9]{2}%?$/.test(bare) ? [cells.slice(0, 2).join(""), ...cells.slice(2)] : cells;
  }

  /** Draws a run in cells, or a sign on its side, if it is in one text node. */
  place(placed: PlacedRun, pieces: Piece[]): void {
    const { start } = placed;
    const { length } = "sign" in placed ? placed.sign : placed.cells.join("");
    const piece = pieces.find(({ node, start: from }) => start >= from && start + length <= from + node.length);
    if (!piece) return;
    const run = piece.node.splitText(start - piece.start);
    run.splitText(length);
    const drawn = "sign" in placed ? [this.onItsSide(placed.sign)] : placed.cells.map((text) => this.cellOf(text));
    const [first] = drawn;
    if (first && drawn.length === 1) run.replaceWith(first);
    else run.replaceWith(this.groupOf(drawn));
  }

  cellOf(text: string): HTMLElement {
    const cell = document.createElement("upright-cell");
    cell.style.setProperty("text-combine-upright", "all");
    cell.append(text);
    return cell;
  }

  onItsSide(sign: string): HTMLElement {
    const span = document.createElement("span");
    span.style.setProperty("text-orientation", "sideways");
    span.append(sign);
    return span;
  }

  /** Allows no break between the cells of a run. */
  groupOf(cells: HTMLElement[]): HTMLElement {
    const group = document.createElement("span");
    group.style.setProperty("text-wrap-mode", "nowrap");
    group.append(...cells);
    return group;
  }
}
