import { expect, test } from "vitest";
import type { DrawnText } from "#lib/type/fit/drawn-text.ts";
import type { FittedText } from "#lib/type/fit/fitted-text.ts";
import { type Fitted, LinePlacing, type TextTask } from "#lib/type/fit/line-placing.ts";
import type { Atom, BreakLevel } from "#lib/type/fit/lines/atom.ts";
import { PARAGRAPH_COSTS, Paragraph } from "#lib/type/fit/lines/paragraph.ts";
import { RoomSharing } from "#lib/type/fit/room-sharing.ts";
import { LineQuality, SizeSearch } from "#lib/type/fit/size-search.ts";
import { TextCut } from "#lib/type/fit/text-cut.ts";
import { letters } from "./letters.ts";
import { STYLE } from "./text-style.ts";

const paragraphOf = (atoms: Atom[]) => new Paragraph(atoms, PARAGRAPH_COSTS);

/** Counts how often the lines of a text are found at a size. */
class CountedSearch extends SizeSearch {
  trials = 0;

  override at(task: TextTask, size: number, level: BreakLevel): Fitted | undefined {
    this.trials++;
    return super.at(task, size, level);
  }
}

const newSearch = () =>
  new CountedSearch(new LinePlacing(), { ending: new TextCut(paragraphOf), quality: new LineQuality() });

/** Texts of one box that are cut at every size. */
function cutTexts(search: SizeSearch, count: number): FittedText[] {
  const around = { contains: () => true, parentElement: null };
  return Array.from({ length: count }, () => {
    const paragraph = paragraphOf(letters("a".repeat(60)));
    const rule = { mode: "shrink" as const, minSize: 20, maxLines: 1, priority: 0 };
    const task = { paragraph, style: STYLE, rule, room: { width: 200, height: Number.POSITIVE_INFINITY } };
    return { ...task, element: { parentElement: around }, fitted: search.solve(task) } as unknown as FittedText;
  });
}

/** How often lines are found when each text asks whether the others can give room, in three rounds. */
function trialsOf(count: number): number {
  const search = newSearch();
  const texts = cutTexts(search, count);
  const sharing = new RoomSharing(search, {} as DrawnText);
  search.trials = 0;
  for (let round = 0; round < 3; round++) for (const text of texts) expect(sharing.rivalsOf(text, texts)).toEqual([]);
  return search.trials;
}

test("what the texts of a crowded box need at least is found once for each of them", () => {
  expect(trialsOf(40)).toBe(10 * trialsOf(4));
});

test("a text needs more height in a narrower room", () => {
  const search = newSearch();
  const style = { ...STYLE, from: 20 };
  const rule = { mode: "shrink" as const, maxLines: 9, priority: 0 };
  const task = { paragraph: paragraphOf(letters("aaaa bbbb cccc")), style, rule, room: { width: 300, height: 10 } };
  const heights = [300, 110, 300].map((width) => {
    task.room = { width, height: 10 };
    return search.leastHeight(task);
  });
  expect(heights).toEqual([10, 20, 10]);
});
