import type { Overflow } from "./containment.ts";
import type { DrawnText } from "./drawn-text.ts";
import type { FittedText } from "./fitted-text.ts";
import type { SizeSearch } from "./size-search.ts";

/**
 * Decides which texts give room when there is too little for all of them. The page gets this class as source text, so it
 * refers to nothing outside itself but types.
 */
export class RoomSharing {
  search: SizeSearch;
  drawn: DrawnText;
  /** A text that gives less than this, in CSS pixels, may keep its size, because heights are rounded. */
  leastGiven = 1;

  constructor(search: SizeSearch, drawn: DrawnText) {
    this.search = search;
    this.drawn = drawn;
  }

  /** The texts that may have widened a box: those inside it, or else those beside it. */
  insideOf({ element, around }: Overflow, entries: FittedText[]): FittedText[] {
    const inside = entries.filter((entry) => element.contains(entry.element));
    const isText = element instanceof HTMLElement && element.dataset.fit !== undefined;
    return isText || inside.length > 0 ? inside : entries.filter((entry) => around.contains(entry.element));
  }

  /** The other texts in the nearest box around a text in which at least one can still become smaller. */
  rivalsOf(entry: FittedText, entries: FittedText[]): FittedText[] {
    const others = entries.filter((other) => other !== entry);
    const able = others.filter((other) => this.capacityOf(other) > 1);
    if (able.length === 0) return [];
    for (let around = entry.element.parentElement; around; around = around.parentElement) {
      const box = around;
      const isInside = (other: FittedText) => box.contains(other.element);
      if (able.some(isInside)) return others.filter(isInside);
    }
    return [];
  }

  /** How much lower a text can become without being cut. */
  capacityOf(entry: FittedText): number {
    return Math.max(0, entry.fitted.height - this.search.leastHeight(entry));
  }

  /**
   * Takes height from texts: from those of the lowest priority first, and from equal ones until each can give as much as the
   * next, so that a long title gives before a name does.
   * @returns false if there is none to take it from
   */
  press(group: FittedText[], amount: number, changed: Set<FittedText>): boolean {
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
        const own = capacities[index] ?? 0;
        if (own > kept)
          this.lower(entry, entry.fitted.height - Math.min(own, Math.max(own - kept, this.leastGiven)), changed);
      }
      rest -= capacity;
      if (rest <= 0.5) return true;
    }
    return changed.size > 0;
  }

  /** How much of its capacity each text may keep, so that all together give the wanted amount. */
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

  lower(entry: FittedText, height: number, changed: Set<FittedText>): void {
    entry.room = { ...entry.room, height: Math.min(entry.room.height, height) };
    entry.isPressed = true;
    changed.add(entry);
  }

  /** Takes width from the texts that are longest. */
  narrow(group: FittedText[], amount: number, changed: Set<FittedText>): void {
    const lengths = group.map((entry) => this.drawn.lengthOf(entry));
    const longest = Math.max(...lengths);
    for (const [index, entry] of group.entries()) {
      if ((lengths[index] ?? 0) < longest - amount) continue;
      entry.room = { ...entry.room, width: Math.max(1, longest - amount) };
      entry.isPressed = true;
      changed.add(entry);
    }
  }
}
