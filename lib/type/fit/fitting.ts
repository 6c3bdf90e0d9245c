import type { Containment } from "./containment.ts";
import type { DrawnText } from "./drawn-text.ts";
import type { Fit } from "./fit-rule.ts";
import type { FittedText, ProbedText } from "./fitted-text.ts";
import type { HeldPage } from "./held-page.ts";
import type { LinePlacing } from "./line-placing.ts";
import type { LineWriter } from "./line-writer.ts";
import type { Atom } from "./lines/atom.ts";
import type { Paragraph } from "./lines/paragraph.ts";
import type { FitOutcome } from "./measurements.ts";
import type { PlainTexts } from "./plain-texts.ts";
import type { RoomSharing } from "./room-sharing.ts";
import type { SizeSearch } from "./size-search.ts";
import type { TextProbe } from "./text-probe.ts";

/** The parts, which the page gets as source text too. */
export type FittingTools = {
  page: HeldPage;
  probe: TextProbe;
  plain: PlainTexts;
  writer: LineWriter;
  containment: Containment;
  placing: LinePlacing;
  search: SizeSearch;
  drawn: DrawnText;
  sharing: RoomSharing;
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

  /** Whether an element or one around it is a size container. */
  sized = new Map<HTMLElement, boolean>();

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
    this.tools.plain.makeRoom();
    const texts = this.probeAll(shown);
    this.makeRoom(texts);
    const entries: FittedText[] = [];
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
    const outcomes = new Map(entries.map((entry) => [entry.element, this.tools.drawn.outcomeOf(entry)]));
    restore();
    return elements.flatMap((element) => outcomes.get(element) ?? []);
  }

  /** Without a text there is nothing to cut, and nothing that another text could give room to. */
  isFitted(element: HTMLElement): boolean {
    const hasRule = Boolean(this.rules[this.ruleName(element.dataset.fit ?? "")]);
    return hasRule && element.textContent?.trim() !== "" && element.getClientRects().length > 0;
  }

  /** The fields of all items of a list have one rule: that of `rows[2].name` is `rows.name`. */
  ruleName(field: string): string {
    return field.replace(/\[\d+\]/, "");
  }

  /** True inside an element whose size others refer to (`cqh`). */
  isSized(element: HTMLElement): boolean {
    const { parentElement: parent } = element;
    if (!parent) return false;
    const known = this.sized.get(parent);
    if (known !== undefined) return known;
    const isSized = getComputedStyle(parent).containerType !== "normal" || this.isSized(parent);
    this.sized.set(parent, isSized);
    return isSized;
  }

  /** Measures all texts, and leaves their elements empty. */
  probeAll(elements: HTMLElement[]): ProbedText[] {
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
    const rule = this.rules[this.ruleName(field)] as Fit;
    const wraps = getComputedStyle(element).getPropertyValue("text-wrap-mode") !== "nowrap";
    return wraps || this.tools.probe.keepsLines(element) ? rule : { ...rule, maxLines: 1 };
  }

  /** A text in a size container, whose designed size changes with the texts around that container. */
  resized(text: ProbedText): ProbedText {
    text.element.replaceChildren(...text.contents.map((node) => node.cloneNode(true)));
    const style = this.tools.probe.styleOf(text.element);
    text.element.replaceChildren();
    return { ...text, style };
  }

  /** Puts something into the elements that is as long as their texts, but as narrow and low as their layout wants. */
  makeRoom(texts: ProbedText[]): void {
    for (const { element, style, paragraph } of texts) {
      const lines = paragraph.greedy(Number.POSITIVE_INFINITY, { level: 0 }) ?? [];
      const { left, right } = this.tools.placing.sidesOf(paragraph, style, lines);
      const longest = Math.max(0, ...lines.map((line) => paragraph.widthOf(line)));
      const length = longest + left + right + style.extra + Math.max(0, style.indent);
      this.tools.writer.standIn(element, {
        length: Math.ceil(length * style.from * this.reserve),
        isVertical: style.isVertical,
      });
    }
  }

  start(texts: ProbedText[]): FittedText[] {
    const rooms = texts.map(({ element, style }) => this.tools.drawn.sizesOf(element, style).width);
    return texts.map((text, index) => {
      const room = { width: rooms[index] ?? 0, height: Number.POSITIVE_INFINITY };
      return { ...text, room, limit: room.width, fitted: this.tools.search.solve({ ...text, room }), isPressed: false };
    });
  }

  solve(entry: FittedText): void {
    entry.fitted = this.tools.search.solve(entry);
  }

  write(entry: FittedText): void {
    this.tools.writer.write(entry.element, entry);
  }

  /** Writes all texts, and makes those smaller that leave their box or push others, until nothing changes. */
  settle(entries: FittedText[]): void {
    this.equalize(entries);
    for (const entry of entries) this.write(entry);
    for (let round = 0; round < this.maxRounds; round++) {
      const changed = this.correct(entries);
      if (changed.size === 0) return;
      for (const entry of changed) this.solve(entry);
      for (const entry of this.equalize(entries)) changed.add(entry);
      for (const entry of changed) this.write(entry);
    }
    this.takeRooms(entries);
  }

  /** Others may give room that a text does not get. It then takes the box that it has, rather than lie over them. */
  takeRooms(entries: FittedText[]): void {
    const over = entries
      .map((entry) => ({ entry, height: this.tools.drawn.boxOf(entry).height }))
      .filter(({ entry: { fitted }, height }) => fitted.height - height > fitted.leading / 2);
    for (const { entry, height } of over) entry.room = { ...entry.room, height };
    for (const { entry } of over) this.solve(entry);
    for (const { entry } of over) this.write(entry);
  }

  /** Gives the texts of each group the size of the smallest one, and returns those that it changed. */
  equalize(entries: FittedText[]): FittedText[] {
    const changed: FittedText[] = [];
    for (const group of new Set(entries.flatMap(({ rule }) => rule.group ?? []))) {
      const members = entries.filter(({ rule }) => rule.group === group);
      const least = Math.min(...members.map(({ fitted }) => fitted.size));
      for (const entry of members.filter(({ fitted }) => fitted.size > least)) {
        entry.mostSize = least;
        entry.isPressed = true;
        this.solve(entry);
        changed.push(entry);
      }
    }
    return changed;
  }

  /** Lowers the room of texts that do not fit, and returns them. */
  correct(entries: FittedText[]): Set<FittedText> {
    const changed = new Set<FittedText>();
    const overflows = this.tools.containment.overflows();
    const boxes = new Map(entries.map((entry) => [entry, this.tools.drawn.boxOf(entry)]));
    for (const entry of entries) {
      const { width, height } = boxes.get(entry) ?? entry.room;
      if (entry.fitted.height - height > 1 && height < entry.room.height) {
        const least = this.tools.search.leastHeight(entry);
        if (
          height < least &&
          this.tools.sharing.press(this.tools.sharing.rivalsOf(entry, entries), least - height, changed)
        )
          continue;
        entry.room = { ...entry.room, height: Math.max(0, height) };
        changed.add(entry);
      }
      const limit = Math.min(width, entry.limit);
      const tooLong = this.tools.drawn.lengthOf(entry) + entry.fitted.left + entry.fitted.right - limit;
      if (tooLong > Math.max(1, this.overhang * entry.fitted.size)) {
        entry.room = { ...entry.room, width: Math.min(entry.room.width - tooLong, limit) };
        changed.add(entry);
      }
    }
    for (const entry of entries) {
      const over = this.tools.drawn.inkOver(entry);
      if (over <= 1 || changed.has(entry)) continue;
      if (
        over > this.tools.sharing.capacityOf(entry) &&
        this.tools.sharing.press(this.tools.sharing.rivalsOf(entry, entries), over, changed)
      )
        continue;
      this.tools.sharing.lower(entry, entry.fitted.height - over, changed);
    }
    for (const overflow of overflows) {
      const group = entries.filter((entry) => overflow.around.contains(entry.element));
      if (group.some((entry) => changed.has(entry))) continue;
      if (overflow.along > 0)
        this.tools.sharing.narrow(this.tools.sharing.insideOf(overflow, entries), overflow.along, changed);
      if (overflow.across > 0) this.tools.sharing.press(group, overflow.across, changed);
    }
    return changed;
  }
}

export const FITTING_ROUNDS = MAX_ROUNDS;
