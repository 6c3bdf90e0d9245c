"use client";

import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import type { StudioTemplate } from "../(studio)/templates/edits.ts";
import { Button } from "../ui/form/button.tsx";
import type { EditorHandle } from "./code-editor.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { EditorTabs } from "./editor-tabs.tsx";
import { FaultList, placeFault } from "./fault-list.tsx";
import { Preview } from "./preview.tsx";
import type { SourceFile } from "./sources-state.ts";
import { useNotices } from "./use-notices.ts";
import { type Fault, type Sources, useSources } from "./use-sources.ts";

type WorkshopProps = {
  slug: string;
  files: SourceFile[];
  faults: Fault[];
  /** Null while its files have faults. */
  template: StudioTemplate | null;
  acceptsAddresses: boolean;
};

/** Saves with Control or Command and S, wherever the focus is. */
function useSaveKey(onSave: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    onSave();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function savedWords(dirty: string[], hasConflict: boolean): string {
  if (dirty.length === 0) return "All files are saved.";
  const words = dirty.length === 1 ? "1 file is not saved." : `${dirty.length} files are not saved.`;
  return hasConflict ? `${words} Choose a text below.` : words;
}

function SaveBar({ state, dirty, isSaving, save }: Pick<Sources, "state" | "dirty" | "isSaving" | "save">) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p role="status" className="text-sm text-soft">
        {savedWords(dirty, Object.keys(state.conflicts).length > 0)}
      </p>
      <Button
        tone="primary"
        size="small"
        isPending={isSaving}
        // Not `disabled`, which would lose the focus after a click.
        aria-disabled={dirty.length === 0}
        aria-keyshortcuts="Control+S Meta+S"
        className="aria-disabled:opacity-55"
        onClick={() => void save()}
      >
        Save
      </Button>
    </div>
  );
}

/** The last template without faults, which is shown while the files have some. */
function useLastTemplate(template: StudioTemplate | null): StudioTemplate | null {
  const [last, setLast] = useState(template);
  if (template !== null && template !== last) setLast(template);
  return template ?? last;
}

function previewWords(template: StudioTemplate | null, shown: StudioTemplate | null): string {
  if (template) return "Drawn from the saved files.";
  return shown
    ? "This is the template before its files had faults."
    : "There is no picture while the files have faults.";
}

function PreviewSide({ template, acceptsAddresses }: Pick<WorkshopProps, "template" | "acceptsAddresses">) {
  const shown = useLastTemplate(template);
  return (
    <section aria-label="Preview" className="studio min-w-0">
      {/* Always there, so that no fault moves the picture. */}
      <p role="status" className={`mb-4 flex min-h-8 items-center text-sm ${template ? "text-soft" : "text-warn"}`}>
        {previewWords(template, shown)}
      </p>
      {shown && <Preview template={shown} acceptsAddresses={acceptsAddresses} />}
    </section>
  );
}

/** The files of a template in editors, beside its picture, its fields and its proof. */
export function Workshop({ slug, files, faults: given, template, acceptsAddresses }: WorkshopProps) {
  const editors = useRef<Record<string, EditorHandle | null>>({});
  const sources = useSources({ slug, files, faults: given });
  const [current, setCurrent] = useState("template.html");
  const hint = useId();
  const { state, dispatch, save } = sources;
  useSaveKey(() => void save());
  const notices = useNotices(slug, sources.faults);
  const faults = useMemo(
    () => [
      ...sources.faults.map((fault) => placeFault(slug, fault)),
      ...notices.map((notice) => ({ ...placeFault(slug, notice), isNotice: true })),
    ],
    [slug, sources.faults, notices],
  );
  /** Shows the editor of a file, with the focus in it: at a line, or where its cursor is. */
  const goTo = ({ file, line }: { file: string; line?: number }) => {
    setCurrent(file);
    // The panel of the file is shown first.
    requestAnimationFrame(() => editors.current[file]?.goTo(line));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
      <section aria-label="Files" className="flex min-w-0 flex-col gap-4">
        <SaveBar {...sources} />
        <EditorTabs
          sources={sources}
          faults={faults}
          current={current}
          onPick={setCurrent}
          editors={editors}
          hint={hint}
        />
        <p id={hint} className="text-sm text-soft">
          Control or Command with S saves. Tab indents; to leave the editor, press Escape and then Tab.
        </p>
        {Object.values(state.conflicts).map((file) => (
          <ConflictNotice
            key={file.name}
            file={file}
            draft={state.drafts[file.name] ?? ""}
            // The notice disappears with the button that had the focus.
            onTake={() => {
              dispatch({ kind: "taken", file });
              goTo({ file: file.name });
            }}
            onOverwrite={() => {
              void sources.overwrite(file);
              goTo({ file: file.name });
            }}
          />
        ))}
        <FaultList faults={faults} edited={Object.keys(state.known)} onPick={goTo} />
      </section>
      <PreviewSide template={template} acceptsAddresses={acceptsAddresses} />
    </div>
  );
}
