import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The colours are those of the pages, which follow the theme by themselves.

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--color-surface)", color: "var(--color-ink)", fontSize: "0.8125rem" },
  // The frame around it shows the focus, where the gutter does not cover it.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--color-ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--color-info) 30%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--color-ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--color-sunken)",
    color: "var(--color-soft)",
    border: "none",
    borderRight: "1px solid var(--color-line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--color-ink) 5%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--color-ink)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--color-info) 25%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--color-info) 18%, transparent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--color-sunken)", color: "var(--color-soft)", border: "none" },
  ".cm-panels, .cm-tooltip": {
    backgroundColor: "var(--color-surface)",
    color: "var(--color-ink)",
    border: "1px solid var(--color-line)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-ink)",
    color: "var(--color-paper)",
  },
  ".cm-textfield": { backgroundColor: "var(--color-paper)", border: "1px solid var(--color-edge)" },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--color-surface)",
    border: "1px solid var(--color-edge)",
  },
  ".cm-diagnostic": { fontFamily: "var(--font-sans)", whiteSpace: "pre-wrap" },
});

const colors = HighlightStyle.define([
  { tag: [tags.string, tags.attributeValue], color: "var(--color-good)" },
  { tag: [tags.keyword, tags.tagName, tags.controlKeyword, tags.operatorKeyword], color: "var(--color-accent)" },
  { tag: [tags.propertyName, tags.attributeName, tags.className], color: "var(--color-info)" },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color], color: "var(--color-warn)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--color-soft)" },
  { tag: tags.invalid, color: "var(--color-danger)" },
]);

/** How an editor looks in both themes. */
export const editorLook = [look, syntaxHighlighting(colors)];

/** How the comparison of two texts looks. The signs tell what the colours tell. */
export const comparisonLook = [
  look,
  EditorView.theme({
    "&": { height: "auto", maxHeight: "24rem" },
    ".cm-scroller": { overflow: "auto" },
    "&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine": {
      backgroundColor: "color-mix(in srgb, var(--color-good) 16%, transparent)",
    },
    "&.cm-merge-b .cm-changedText": {
      background: "color-mix(in srgb, var(--color-good) 24%, transparent)",
    },
    ".cm-deletedChunk": {
      backgroundColor: "color-mix(in srgb, var(--color-danger) 14%, transparent)",
      paddingLeft: "0",
    },
    "&.cm-editor .cm-deletedChunk .cm-deletedText": {
      background: "color-mix(in srgb, var(--color-danger) 20%, transparent)",
    },
    ".cm-line, .cm-deletedLine": { paddingLeft: "1.6em", textIndent: "-1.2em", textDecoration: "none" },
    "&.cm-editor .cm-collapsedLines": {
      background: "var(--color-surface)",
      color: "var(--color-soft)",
      padding: "0.25rem 0.5rem",
    },
    ".cm-deletedLine del, ins.cm-insertedLine": { textDecoration: "none" },
    ".cm-line::before": { content: '""', display: "inline-block", width: "1.2em", textIndent: "0" },
    ".cm-changedLine::before": { content: '"+"' },
    ".cm-deletedLine::before": { content: '"−"', display: "inline-block", width: "1.2em", textIndent: "0" },
    "&.cm-editor .cm-changedLineGutter": { background: "var(--color-good)" },
    "&.cm-editor .cm-deletedLineGutter": { background: "var(--color-danger)" },
  }),
];
