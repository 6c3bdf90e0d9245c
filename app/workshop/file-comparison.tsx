"use client";

import { Chunk, unifiedMergeView } from "@codemirror/merge";
import { EditorState, Text } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useDeferredValue, useEffect, useId, useMemo, useRef } from "react";
import { comparisonLook } from "./editor-look.ts";

/** Places that have a button. After these, one reads on in the text. */
const SHOWN_PLACES = 12;

/** Characters that differ in one place before the comparison becomes coarse. It is quadratic in them. */
const SCAN_LIMIT_CHARS = 2_000;

/** Lines around a difference that are shown with it. Longer stretches that are equal are folded. */
const CONTEXT_LINES = 3;

/** Lines of the reader's text that differ, or the line before which the file on disk has more. */
type DifferentPlace = { from: number; label: string };

/** Both texts with the line breaks of an editor, so that those of Windows are no difference of every line. */
const toText = (text: string) => Text.of(text.split(/\r\n?|\n/));

function placesOf(mine: Text, onDisk: Text): DifferentPlace[] {
  return Chunk.build(onDisk, mine, { scanLimit: SCAN_LIMIT_CHARS }).map(({ fromB, toB, endB }) => {
    const from = Math.min(fromB, mine.length);
    const first = mine.lineAt(from).number;
    const last = mine.lineAt(Math.min(endB, mine.length)).number;
    if (fromB === toB) return { from, label: `before line ${first}` };
    return { from, label: first === last ? `line ${first}` : `lines ${first} to ${last}` };
  });
}

type StartView = {
  mine: Text;
  onDisk: Text;
  name: string;
  describedBy: string;
  /** Where the view is scrolled to. */
  first: number;
  parent: HTMLElement;
};

function startView({ mine, onDisk, name, describedBy, first, parent }: StartView): EditorView {
  const attributes = { "aria-label": `What differs in ${name}`, "aria-describedby": describedBy, tabindex: "0" };
  return new EditorView({
    parent,
    scrollTo: EditorView.scrollIntoView(first, { y: "center" }),
    state: EditorState.create({
      doc: mine,
      extensions: [
        lineNumbers(),
        unifiedMergeView({
          original: onDisk,
          mergeControls: false,
          collapseUnchanged: { margin: CONTEXT_LINES },
          syntaxHighlightDeletions: false,
          diffConfig: { scanLimit: SCAN_LIMIT_CHARS },
        }),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of(attributes),
        comparisonLook,
      ],
    }),
  });
}

function countWords(count: number): string {
  if (count === 0) return "The two texts differ in their line breaks alone.";
  return count === 1 ? "They differ in one place of your text:" : `They differ in ${count} places of your text:`;
}

type FileComparisonProps = { name: string; mine: string; onDisk: string };

/** Shows what differs between the text of an editor and the file on disk, with a button for each place. */
export default function FileComparison({ name, mine: typed, onDisk: found }: FileComparisonProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const legend = useId();
  // The reader may type on.
  const current = useDeferredValue(typed);
  const [mine, onDisk] = useMemo(() => [toText(current), toText(found)], [current, found]);
  const places = useMemo(() => placesOf(mine, onDisk), [mine, onDisk]);
  const first = places[0]?.from ?? 0;
  useEffect(() => {
    if (!parent.current) return;
    const started = startView({ mine, onDisk, name, describedBy: legend, first, parent: parent.current });
    view.current = started;
    return () => started.destroy();
  }, [mine, onDisk, name, legend, first]);
  const goTo = (from: number) => {
    view.current?.focus();
    view.current?.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  };
  const hidden = places.length - SHOWN_PLACES;
  return (
    <>
      <p className="text-sm">{countWords(places.length)}</p>
      <ul className="mt-1 mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {places.slice(0, SHOWN_PLACES).map(({ from, label }) => (
          <li key={label}>
            <button type="button" className="link" onClick={() => goTo(from)}>
              {label}
            </button>
          </li>
        ))}
        {hidden > 0 && <li>and {hidden} more</li>}
      </ul>
      <p id={legend} className="mb-2 text-sm text-soft">
        Lines with + are in your text alone, and lines with − in the file on disk alone.
      </p>
      <div
        ref={parent}
        className="overflow-hidden rounded-md border border-edge has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-ring has-[.cm-focused]:outline-offset-2"
      />
    </>
  );
}
