import { escapeHtml } from "./escape-html.ts";
import type { Span } from "./marks.ts";

/** The attribute that tells an element around a part of a text from one of the template. */
export const MARK_ATTRIBUTE = "data-marked";

/** Languages whose scripts have no italics. Bold letters stand for them, because slanted ones look like a fault. */
const UPRIGHT = "ar,fa,ur,he,yi,ja,zh,ko,th,lo,km,my,hi,mr,ne,bn,gu,pa,ta,te,kn,ml,si,am,ka,hy".split(",");
const UPRIGHT_RULE = `em[${MARK_ATTRIBUTE}]:lang(${UPRIGHT.join(",")}){font-style:normal;font-weight:bolder}`;

/** The style of the elements around parts that are set off. */
export const SPAN_RULES = `em[${MARK_ATTRIBUTE}]{font-style:italic}strong[${MARK_ATTRIBUTE}]{font-weight:bolder}${UPRIGHT_RULE}`;

/** Stands for a start or an end of a part while the text is typeset. Text fields refuse it. */
const BOUNDARY = "\ufffe";

/** The elements of parts, from the outside in. */
export const PART_ELEMENTS: string[] = ["mark", "strong", "em"] satisfies Span["kind"][];

/** Writes the tags between two stretches of text that are set off in different ways. */
function tagsBetween(before: readonly string[], after: readonly string[]): string {
  const common = before.findIndex((element, index) => element !== after[index]);
  const kept = common < 0 ? before.length : common;
  const closed = before.slice(kept).toReversed();
  const opened = after.slice(kept);
  return [
    ...closed.map((element) => `</${element}>`),
    ...opened.map((element) => `<${element} ${MARK_ATTRIBUTE}>`),
  ].join("");
}

/** The elements around each stretch between two bounds. Every span begins and ends at one. */
function elementsOf(spans: Span[], bounds: number[]): string[][] {
  const changes = Map.groupBy(
    spans.flatMap(({ start, end, kind }) => [
      { at: start, kind, by: 1 },
      { at: end, kind, by: -1 },
    ]),
    ({ at }) => at,
  );
  const open = new Map<string, number>();
  return bounds.slice(0, -1).map((bound) => {
    for (const { kind, by } of changes.get(bound) ?? []) open.set(kind, (open.get(kind) ?? 0) + by);
    // A bound may come twice, at the start and the end of the text.
    changes.delete(bound);
    return PART_ELEMENTS.filter((kind) => (open.get(kind) ?? 0) > 0);
  });
}

/**
 * Typesets and escapes a text, and puts elements around its parts. Parts that cross each other are divided.
 * @param typeset puts in the hyphens and spaces of the language; it leaves U+FFFE, which stands between the parts, in place
 */
export function writeSpans(text: string, spans: Span[], typeset: (text: string) => string): string {
  const places = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b);
  const bounds = [0, ...places, text.length];
  const stretches = bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
  const elements = elementsOf(spans, bounds).map((kinds, index) => (stretches[index] === "" ? [] : kinds));
  const written = escapeHtml(typeset(stretches.join(BOUNDARY))).split(BOUNDARY);
  const inside = written.map((html, index) => tagsBetween(elements[index - 1] ?? [], elements[index] ?? []) + html);
  return inside.join("") + tagsBetween(elements.at(-1) ?? [], []);
}
