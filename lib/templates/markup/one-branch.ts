import { blank } from "./mask-liquid.ts";

/** The tags of Liquid with branches. */
const BRANCHING = ["if", "unless", "for", "case", "tablerow"];
const BRANCHES = ["else", "elsif", "when"];

const LIQUID_TAG = /\{%-?\s*(\w*)[\s\S]*?%\}/g;

/** Which branch of a block is left. */
export type Branch = "first" | "last";

/** A block of Liquid that is open. `start` is where its running branch begins. */
type Block = { start: number; index: number };

type Part = [from: number, to: number];

/** Blanks parts of a text. A part may contain others. */
function withoutParts(text: string, parts: Part[]): string {
  let [written, done] = ["", 0];
  for (const [from, to] of parts.toSorted(([a], [b]) => a - b)) {
    if (to <= done) continue;
    written += text.slice(done, from) + blank(text.slice(from, to));
    done = to;
  }
  return written + text.slice(done);
}

/**
 * Leaves out all but one branch of each `if`, `unless`, `for` and `case`, and comments. Everything keeps its place. An author may open
 * an element in two branches and close it once.
 */
export function withOneBranch(source: string, kept: Branch): string {
  const open: Block[] = [];
  const dropped: Part[] = [];
  let comment: number | undefined;
  for (const { 0: tag, 1: name = "", index } of source.matchAll(LIQUID_TAG)) {
    const block = open.at(-1);
    if (name === "endcomment" && comment !== undefined) {
      dropped.push([comment, index]);
      comment = undefined;
    } else if (comment !== undefined) continue;
    else if (name === "comment") comment = index;
    else if (BRANCHING.includes(name)) open.push({ start: index, index: name === "case" ? -1 : 0 });
    else if (BRANCHES.includes(name) && block) {
      if (kept === "last" || block.index > 0) dropped.push([block.start, index]);
      block.index++;
      block.start = index + tag.length;
    } else if (name.startsWith("end") && BRANCHING.includes(name.slice("end".length)) && block) {
      if (kept === "first" && block.index > 0) dropped.push([block.start, index]);
      open.pop();
    }
  }
  return withoutParts(source, dropped);
}
