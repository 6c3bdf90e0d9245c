import type { Containment, Overflow } from "./containment.ts";
import type { Fit } from "./fit-rule.ts";
import type { HeldPage } from "./held-page.ts";
import type { LineWriter } from "./line-writer.ts";
import type { Box, FitOutcome } from "./measurements.ts";
import type { Atom, Paragraph } from "./paragraph.ts";
import type { Fitted, Room, SizeSearch } from "./size-search.ts";
import type { ProbedStyle, TextProbe } from "./text-probe.ts";

/** One element with a text, and what was measured of it. */
type Probed = {
  element: HTMLElement;
  field: string;
  rule: Fit;
  /** The nodes that the template gave the element. */
  contents: Node[];
  style: ProbedStyle;
  atoms: Atom[];
  paragraph: Paragraph;
};

/** A text in its room. */
type Entry = Probed & {
  room: Room;
  /** The width that the layout gave the element, whatever {@link room} became since. */
  limit: number;
  fitted: Fitted;
  /** Something else than its own box made it smaller. */
  isPressed: boolean;
};

/** The parts, which the page gets as source text too. */
export type FittingTools = {
  page: HeldPage;
  probe: TextProbe;
  writer: LineWriter;
  containment: Containment;
  search: SizeSearch;
  paragraphOf: (atoms: Atom[]) => Paragraph;
};

/** Layouts after which the sizes are taken as they are. Three suffice for almost every picture. */
const MAX_ROUNDS = 12;

/**
 * Fits all texts of a document together. Sizes and breaks come from arithmetic on what was measured once; then the lines are
 * written out, laid out, and corrected where a box left its place. The page gets it as source text, so it refers to nothing
 * outside itself but types.
 */
export class Fitting {
  tools: FittingTools;
  rules: Record<string, Fit>;
  maxRounds: number;
  /** A line may be longer than its box by this part of the font size, which nobody sees. */
  overhang = 0.02;
  /** A line may turn out longer than its parts, which its box must not forbid. */
  reserve = 1.02;
  /** The boxes around an element that clip it. */
  clips = new Map<Element, Element[]>();

  constructor(rules: Record<string, Fit>, tools: FittingTools, maxRounds: number) {
    this.rules = rules;
    this.tools = tools;
    this.maxRounds = maxRounds;
  }

  fitAll(): FitOutcome[] {
    const elements = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
    const shown = elements.filter((element) => this.isFitted(element));
    const restore = this.tools.page.straighten(shown);
    this.tools.page.freeze();
    const texts = this.probeAll(shown);
    this.makeRoom(texts);
    const entries: Entry[] = [];
    // The size of a text in a size container depends on the room that the other texts leave.
    const outside = texts.filter(({ element }) => !this.isSized(element));
    entries.push(...this.start(outside));
    this.settle(entries);
    if (outside.length < texts.length) {
      const inside = texts.filter((text) => !outside.includes(text)).map((text) => this.resized(text));
      this.makeRoom(inside);
      entries.push(...this.start(inside));
      this.settle(entries);
    }
    const outcomes = new Map(entries.map((entry) => [entry.element, this.outcomeOf(entry)]));
    restore();
    return elements.flatMap((element) => outcomes.get(element) ?? []);
  }

  isFitted(element: HTMLElement): boolean {
    return Boolean(this.rules[element.dataset.fit ?? ""]) && element.getClientRects().length > 0;
  }

  /** True inside an element whose size others refer to (`cqh`). */
  isSized(element: HTMLElement): boolean {
    for (let around = element.parentElement; around; around = around.parentElement)
      if (getComputedStyle(around).containerType !== "normal") return true;
    return false;
  }

  /** Measures all texts, and leaves their elements empty. */
  probeAll(elements: HTMLElement[]): Probed[] {
    const { probe, containment, paragraphOf } = this.tools;
    const texts = elements.map((element) => {
      const field = element.dataset.fit ?? "";
      const contents = Array.from(element.childNodes);
      return { element, field, rule: this.ruleOf(element, field), contents, style: probe.styleOf(element) };
    });
    for (const element of elements) element.replaceChildren();
    containment.watch(elements);
    const atoms = probe.atomsOf(texts);
    return texts.map((text, index) => {
      const own = atoms[index] ?? [];
      return { ...text, atoms: own, paragraph: paragraphOf(own) };
    });
  }

  /** An element that must not wrap has one line, whatever its field allows, unless it keeps the author's lines. */
  ruleOf(element: HTMLElement, field: string): Fit {
    const rule = this.rules[field] as Fit;
    const wraps = getComputedStyle(element).getPropertyValue("text-wrap-mode") !== "nowrap";
    return wraps || this.tools.probe.keepsLines(element) ? rule : { ...rule, maxLines: 1 };
  }

  /** A text in a size container, whose designed size changes with the texts around that container. */
  resized(text: Probed): Probed {
    text.element.replaceChildren(...text.contents.map((node) => node.cloneNode(true)));
    const style = this.tools.probe.styleOf(text.element);
    text.element.replaceChildren();
    return { ...text, style };
  }

  /** Puts something into the elements that is as long as their texts, but as narrow and low as their layout wants. */
  makeRoom(texts: Probed[]): void {
    for (const { element, style, paragraph } of texts) {
      const lines = paragraph.greedy(Number.POSITIVE_INFINITY, { level: 0 }) ?? [];
      const { left, right } = this.tools.search.sidesOf(paragraph, style, lines);
      const longest = Math.max(0, ...lines.map((line) => paragraph.widthOf(line)));
      const length = longest + left + right + style.extra + Math.max(0, style.indent);
      this.tools.writer.standIn(element, {
        length: Math.ceil(length * style.from * this.reserve),
        isVertical: style.isVertical,
      });
    }
  }

  start(texts: Probed[]): Entry[] {
    const rooms = texts.map(({ element, style }) => this.sizesOf(element, style).width);
    return texts.map((text, index) => {
      const room = { width: rooms[index] ?? 0, height: Number.POSITIVE_INFINITY };
      return { ...text, room, limit: room.width, fitted: this.tools.search.solve({ ...text, room }), isPressed: false };
    });
  }

  /** The content box of an element, along and across its lines, in CSS pixels. */
  sizesOf(element: HTMLElement, { isVertical }: ProbedStyle): Room {
    let box: HTMLElement = element;
    while (getComputedStyle(box).display === "inline" && box.parentElement) box = box.parentElement;
    const style = getComputedStyle(box);
    const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    const inner = (size: string, sides: string[]) => {
      const around = sides.flatMap((side) => [`padding-${side}`, `border-${side}-width`]);
      const total = style.boxSizing === "border-box" ? around.reduce((sum, name) => sum + pixels(name), 0) : 0;
      return pixels(size) - total;
    };
    const [across, down] = [inner("width", ["left", "right"]), inner("height", ["top", "bottom"])];
    return isVertical ? { width: down, height: across } : { width: across, height: down };
  }

  solve(entry: Entry): void {
    entry.fitted = this.tools.search.solve(entry);
  }

  write(entry: Entry): void {
    this.tools.writer.write(entry.element, entry);
  }

  /** Writes all texts, and makes those smaller that leave their box or push others, until nothing changes. */
  settle(entries: Entry[]): void {
    for (const entry of entries) this.write(entry);
    for (let round = 0; round < this.maxRounds; round++) {
      const changed = this.correct(entries);
      if (changed.size === 0) return;
      for (const entry of changed) {
        this.solve(entry);
        this.write(entry);
      }
    }
  }

  /** Lowers the room of texts that do not fit, and returns them. */
  correct(entries: Entry[]): Set<Entry> {
    const changed = new Set<Entry>();
    const overflows = this.tools.containment.overflows();
    const boxes = new Map(entries.map((entry) => [entry, this.boxOf(entry)]));
    for (const entry of entries) {
      const { width, height } = boxes.get(entry) ?? entry.room;
      if (entry.fitted.height - height > 1 && height < entry.room.height) {
        const least = this.tools.search.leastHeight(entry);
        if (height < least && this.press(this.rivalsOf(entry, entries), least - height, changed)) continue;
        entry.room = { ...entry.room, height: Math.max(0, height) };
        changed.add(entry);
      }
      const limit = Math.min(width, entry.limit);
      const tooLong = this.lengthOf(entry) + entry.fitted.left + entry.fitted.right - limit;
      if (tooLong > Math.max(1, this.overhang * entry.fitted.size)) {
        entry.room = { ...entry.room, width: Math.min(entry.room.width - tooLong, limit) };
        changed.add(entry);
      }
    }
    for (const entry of entries) {
      const over = this.inkOver(entry);
      if (over <= 1 || changed.has(entry)) continue;
      if (over > this.capacityOf(entry) && this.press(this.rivalsOf(entry, entries), over, changed)) continue;
      this.lower(entry, entry.fitted.height - over, changed);
    }
    for (const overflow of overflows) {
      const group = entries.filter((entry) => overflow.around.contains(entry.element));
      if (group.some((entry) => changed.has(entry))) continue;
      if (overflow.along > 0) this.narrow(this.insideOf(overflow, entries), overflow.along, changed);
      if (overflow.across > 0) this.press(group, overflow.across, changed);
    }
    return changed;
  }

  /** How far the ink of a text leaves the canvas, or a box that clips it, above and below. */
  inkOver(entry: Entry): number {
    if (entry.style.isVertical || entry.fitted.shown === 0) return 0;
    const ink = this.inkOf(entry);
    let [top, bottom] = [0, document.documentElement.clientHeight];
    for (const box of this.clipsOf(entry.element)) {
      const rect = box.getBoundingClientRect();
      [top, bottom] = [Math.max(top, rect.top), Math.min(bottom, rect.bottom)];
    }
    return Math.max(0, top - ink.top) + Math.max(0, ink.bottom - bottom);
  }

  clipsOf(element: Element): Element[] {
    const known = this.clips.get(element);
    if (known) return known;
    const clips: Element[] = [];
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowY !== "visible") clips.push(box);
    this.clips.set(element, clips);
    return clips;
  }

  /** The room that the element has at this moment, its content box without the room for ink. */
  boxOf(entry: Entry): Room {
    const { width, height } = this.sizesOf(entry.element, entry.style);
    const { above, below, left, right } = entry.fitted;
    return { width: width + left + right, height: height + above + below };
  }

  /** The length of the longest line, as drawn. */
  lengthOf({ element, style }: Entry): number {
    const range = document.createRange();
    range.selectNodeContents(element);
    const rect = range.getBoundingClientRect();
    return style.isVertical ? rect.height : rect.width;
  }

  /** The texts that may have widened a box: those inside it, or else those beside it. */
  insideOf({ element, around }: Overflow, entries: Entry[]): Entry[] {
    const inside = entries.filter((entry) => element.contains(entry.element));
    const isText = element instanceof HTMLElement && element.dataset.fit !== undefined;
    return isText || inside.length > 0 ? inside : entries.filter((entry) => around.contains(entry.element));
  }

  /** The other texts in the nearest box around a text in which at least one can still become smaller. */
  rivalsOf(entry: Entry, entries: Entry[]): Entry[] {
    for (let around = entry.element.parentElement; around; around = around.parentElement) {
      const rivals = entries.filter((other) => other !== entry && around.contains(other.element));
      if (rivals.some((other) => this.capacityOf(other) > 1)) return rivals;
    }
    return [];
  }

  /** How much lower a text can become without being cut. */
  capacityOf(entry: Entry): number {
    return Math.max(0, entry.fitted.height - this.tools.search.leastHeight(entry));
  }

  /**
   * Takes height from texts: from those of the lowest priority first, and from equal ones until each can give as much as the
   * next, so that a long title gives before a name does.
   * @returns false if there is none to take it from
   */
  press(group: Entry[], amount: number, changed: Set<Entry>): boolean {
    let rest = amount;
    const free = group.filter((entry) => !changed.has(entry));
    const priorities = [...new Set(free.map(({ rule }) => rule.priority ?? 0))].sort((a, b) => a - b);
    for (const priority of priorities) {
      const equals = free.filter(({ rule }) => (rule.priority ?? 0) === priority);
      const capacities = equals.map((entry) => this.capacityOf(entry));
      const capacity = capacities.reduce((sum, one) => sum + one, 0);
      if (capacity <= 0.5) continue;
      const kept = this.levelFor(capacities, Math.min(rest, capacity));
      for (const [index, entry] of equals.entries()) {
        const given = (capacities[index] ?? 0) - kept;
        if (given > 0) this.lower(entry, entry.fitted.height - given, changed);
      }
      rest -= capacity;
      if (rest <= 0.5) return true;
    }
    return changed.size > 0;
  }

  /** What each may keep of its capacity so that together they give an amount. */
  levelFor(capacities: number[], amount: number): number {
    const sorted = capacities.toSorted((a, b) => b - a);
    let sum = 0;
    for (const [index, capacity] of sorted.entries()) {
      sum += capacity;
      const level = (sum - amount) / (index + 1);
      if (level >= (sorted[index + 1] ?? 0)) return Math.max(0, level);
    }
    return 0;
  }

  lower(entry: Entry, height: number, changed: Set<Entry>): void {
    entry.room = { ...entry.room, height: Math.min(entry.room.height, height) };
    entry.isPressed = true;
    changed.add(entry);
  }

  /** Takes width from the texts that are longest. */
  narrow(group: Entry[], amount: number, changed: Set<Entry>): void {
    const lengths = group.map((entry) => this.lengthOf(entry));
    const longest = Math.max(...lengths);
    for (const [index, entry] of group.entries()) {
      if ((lengths[index] ?? 0) < longest - amount) continue;
      entry.room = { ...entry.room, width: Math.max(1, longest - amount) };
      entry.isPressed = true;
      changed.add(entry);
    }
  }

  outcomeOf(entry: Entry): FitOutcome {
    const { field, style, fitted, atoms, isPressed } = entry;
    const { size, lines, leading, shown } = fitted;
    const textOf = (from: number, to: number) =>
      atoms
        .slice(from, to)
        .map(({ text }) => text)
        .join("");
    // Soft hyphens are no characters of the request.
    const graphemes = (text: string) =>
      Array.from(new Intl.Segmenter().segment(text.replaceAll("\u00ad", "").trim())).length;
    const cut =
      shown === undefined
        ? {}
        : { cut: { shown: graphemes(textOf(0, shown)), of: graphemes(textOf(0, atoms.length)) } };
    return {
      field,
      from: style.from,
      to: size,
      ...cut,
      why: isPressed && size < style.from ? "neighbours" : fitted.why,
      lines: lines.map(({ start, end }) =>
        shown !== undefined && end > shown ? `${textOf(start, shown)}…` : this.asDrawn(textOf(start, end)),
      ),
      leading,
      ink: this.inkOf(entry),
      box: this.toBox(entry.element.getBoundingClientRect()),
    };
  }

  /** Soft hyphens are drawn at the end of a line only. */
  asDrawn(line: string): string {
    return line
      .trim()
      .replace(/\u00ad$/, "-")
      .replaceAll("\u00ad", "");
  }

  toBox({ left, top, right, bottom }: DOMRect): Box {
    return { left, top, right, bottom };
  }

  /** What the glyphs cover, from the lines that the page drew and the ink of the first and the last one. */
  inkOf({ element, style, fitted, paragraph }: Entry): Box {
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = this.toBox(range.getBoundingClientRect());
    if (style.isVertical) return box;
    const { size, lines } = fitted;
    const [first, last] = [lines[0], lines.at(-1)].map((line) => this.tools.search.inkOf(paragraph, line));
    const sides = this.tools.search.sidesOf(paragraph, style, lines);
    return {
      left: box.left - sides.left * size,
      right: box.right + sides.right * size,
      top: box.top + (style.fontAscent - (first?.ascent ?? 0)) * size,
      bottom: box.bottom - (style.fontDescent - (last?.descent ?? 0)) * size,
    };
  }
}

export const FITTING_ROUNDS = MAX_ROUNDS;
