import type { Fit } from "./fit-rule.ts";
import type { Fitted, Room } from "./line-placing.ts";
import type { Atom } from "./lines/atom.ts";
import type { Paragraph } from "./lines/paragraph.ts";
import type { ProbedStyle } from "./text-style.ts";

/** One element with a text, and what was measured of it. */
export type ProbedText = {
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
export type FittedText = ProbedText & {
  room: Room;
  /** The width that the layout gave the element, whatever {@link room} became since. */
  limit: number;
  fitted: Fitted;
  /** The size of its group, in CSS pixels, where another text of it is smaller than this one would be. */
  mostSize?: number;
  /** Whether something other than its own box made it smaller. */
  isPressed: boolean;
};
