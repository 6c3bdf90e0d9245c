"use client";

import { indentWithTab } from "@codemirror/commands";
import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { json } from "@codemirror/lang-json";
import { liquid } from "@codemirror/lang-liquid";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import { editorLook } from "./editor-look.ts";

/** A fault at a line of the file, or a notice about something without effect. */
export type LineFault = { line: number; reason: string; isNotice?: boolean };

/** What the page does with the editor. */
export type EditorHandle = {
  /** Gives the editor the focus, with the cursor at the beginning of a line, counted from 1, or where it is. */
  goTo: (line?: number) => void;
};

type CodeEditorProps = {
  /** Such as `style.css`: its ending decides about the colours. */
  name: string;
  /** The text at first, and when `revision` changes. */
  text: string;
  revision: number;
  faults: LineFault[];
  /** The id of the hint about its keys. */
  describedBy: string;
  onChange: (text: string) => void;
  ref: Ref<EditorHandle>;
};

function languageOf(name: string): Extension {
  if (name.endsWith(".json")) return json();
  return name.endsWith(".css") ? css() : liquid({ base: html() });
}

/** A file that has Windows line breaks throughout keeps them. */
function lineBreaks(text: string): Extension {
  return /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? EditorState.lineSeparator.of("\r\n") : [];
}

function diagnosticsOf({ doc }: EditorState, faults: LineFault[]): Diagnostic[] {
  return faults.map(({ line, reason, isNotice }) => {
    const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
    return { from, to, severity: isNotice ? "warning" : "error", message: reason };
  });
}

function startView(
  { name, text, describedBy }: CodeEditorProps,
  parent: HTMLElement,
  onChange: (text: string) => void,
): EditorView {
  const attributes = { "aria-label": name, "aria-describedby": describedBy, spellcheck: "false", tabindex: "0" };
  const state = EditorState.create({
    doc: text,
    extensions: [
      basicSetup,
      keymap.of([indentWithTab]),
      lineBreaks(text),
      languageOf(name),
      lintGutter(),
      editorLook,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributes),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.sliceDoc());
      }),
    ],
  });
  return new EditorView({ state, parent });
}

/** A file in CodeMirror. It keeps its text and its history while it is hidden. */
export function CodeEditor(props: CodeEditorProps) {
  const { faults, ref, text, revision } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const onChange = useEffectEvent((text: string) => props.onChange(text));
  const start = useEffectEvent((element: HTMLElement) => startView(props, element, onChange));
  useEffect(() => {
    if (!parent.current) return;
    const started = start(parent.current);
    view.current = started;
    return () => started.destroy();
  }, []);
  useEffect(() => {
    const current = view.current;
    current?.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, faults)));
  }, [faults]);
  const replace = useEffectEvent(() => {
    const current = view.current;
    if (!current || current.state.sliceDoc() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: current.state.toText(text) } });
  });
  // Not with each change of the text, which comes from here and may be older than the one that is typed meanwhile.
  // The first revision is that of the start.
  useEffect(() => {
    if (revision > 0) replace();
  }, [revision]);
  useImperativeHandle(ref, () => ({
    goTo: (line) => {
      const current = view.current;
      if (!current) return;
      current.focus();
      if (line === undefined) return;
      const { from } = current.state.doc.line(Math.min(Math.max(1, line), current.state.doc.lines));
      current.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    },
  }));
  // Its height does not depend on the text, so that nothing moves when the editor starts.
  return <div ref={parent} className="h-[clamp(16rem,65svh,48rem)] min-w-0" />;
}
