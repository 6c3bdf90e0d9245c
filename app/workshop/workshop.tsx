"use client";

import { type RefObject, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import type { StudioTemplate } from "../(studio)/templates/edits.ts";
import { CodeBlock } from "../ui/content/code-block.tsx";
import { Tabs } from "../ui/content/tabs.tsx";
import { withKeys } from "../ui/content/with-keys.ts";
import { Notice } from "../ui/feedback/notice.tsx";
import { Button } from "../ui/form/button.tsx";
import { CodeEditor, type EditorHandle, type LineFault } from "./code-editor.tsx";
import { Preview } from "./preview.tsx";
import type { SourceFile } from "./sources-state.ts";
import { type Fault, useSources } from "./use-sources.ts";

type WorkshopProps = {
  slug: string;
  files: SourceFile[];
  faults: Fault[];
  /** Null while its files have faults. */
  template: StudioTemplate | null;
  acceptsAddresses: boolean;
};

type PlacedFault = LineFault & { file: string };

/** The file and the line of a fault, as the editors name them. */
function placeFault(slug: string, { place, reason }: Fault): PlacedFault {
  const [, path = "", line = "1"] = /^(.*):(\d+)$/.exec(place) ?? [];
  return { file: path.replace(`${slug}/`, ""), line: Number(line), reason };
}

function FaultList({ faults, onPick }: { faults: PlacedFault[]; onPick: (fault: PlacedFault) => void }) {
  return (
    <div role="alert">
      {faults.length > 0 && (
        <Notice tone="error" title={faults.length === 1 ? "1 fault" : `${faults.length} faults`}>
          <ul className="mt-1 flex flex-col gap-2 text-sm [overflow-wrap:anywhere]">
            {withKeys(faults, ({ file, line, reason }) => `${file}:${line} ${reason}`).map(({ key, item }) => (
              <li key={key}>
                <button type="button" className="link font-mono text-[0.8125rem]" onClick={() => onPick(item)}>
                  {item.file}, line {item.line}
                </button>{" "}
                {item.reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

type ConflictProps = { file: SourceFile; onTake: () => void; onOverwrite: () => void };

/** Both texts of a file that changed on disk: this one, and the editor's. */
function Conflict({ file, onTake, onOverwrite }: ConflictProps) {
  return (
    <Notice tone="warn" title={`${file.name} has changed on disk`}>
      <p className="mb-3 text-sm">
        Nothing was written. Your text is in the editor, and this is the file as it is now. Choose the one to keep.
      </p>
      <div className="max-h-80 overflow-y-auto">
        <CodeBlock code={file.text} label={`${file.name} on disk`}>
          {file.text}
        </CodeBlock>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onTake}>
          Use the file on disk
        </Button>
        <Button size="small" onClick={onOverwrite}>
          Overwrite it with my text
        </Button>
      </div>
    </Notice>
  );
}

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

function TabLabel({ name, isDirty, faults }: { name: string; isDirty: boolean; faults: number }) {
  return (
    <span className="font-mono text-[0.8125rem]">
      {name}
      {isDirty && (
        <>
          <span aria-hidden="true" className="ml-1 text-accent">
            ●
          </span>
          <span className="sr-only">, not saved</span>
        </>
      )}
      {faults > 0 && (
        <span className="ml-1.5 text-danger">
          {faults}
          <span className="sr-only">{faults === 1 ? " fault" : " faults"}</span>
        </span>
      )}
    </span>
  );
}

function savedWords(dirty: string[]): string {
  if (dirty.length === 0) return "All files are saved.";
  return dirty.length === 1 ? "1 file is not saved." : `${dirty.length} files are not saved.`;
}

/** The last template without faults, which is shown while the files have some. */
function useLastTemplate(template: StudioTemplate | null): StudioTemplate | null {
  const [last, setLast] = useState(template);
  if (template !== null && template !== last) setLast(template);
  return template ?? last;
}

type EditorTabsProps = {
  sources: ReturnType<typeof useSources>;
  faults: PlacedFault[];
  current: string;
  onPick: (name: string) => void;
  editors: RefObject<Record<string, EditorHandle | null>>;
  /** The id of the hint about the keys. */
  hint: string;
};

function EditorTabs({ sources, faults, current, onPick, editors, hint }: EditorTabsProps) {
  const { state, dirty, dispatch } = sources;
  return (
    <Tabs
      label="Files"
      keepsPanels
      value={current}
      onValueChange={onPick}
      tabs={Object.keys(state.known).map((name) => {
        const own = faults.filter(({ file }) => file === name);
        return {
          value: name,
          label: <TabLabel name={name} isDirty={dirty.includes(name)} faults={own.length} />,
          panel: (
            <div className="overflow-hidden rounded-md border border-edge has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-ring has-[.cm-focused]:outline-offset-2">
              <CodeEditor
                ref={(handle) => {
                  editors.current[name] = handle;
                }}
                name={name}
                text={state.drafts[name] ?? ""}
                revision={state.revisions[name] ?? 0}
                faults={own}
                describedBy={hint}
                onChange={(text) => dispatch({ kind: "edited", name, text })}
              />
            </div>
          ),
        };
      })}
    />
  );
}

function SaveBar({ dirty, isSaving, save }: Pick<ReturnType<typeof useSources>, "dirty" | "isSaving" | "save">) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p role="status" className="text-sm text-soft">
        {savedWords(dirty)}
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

function PreviewSide({ template, acceptsAddresses }: Pick<WorkshopProps, "template" | "acceptsAddresses">) {
  const shown = useLastTemplate(template);
  return (
    <section aria-label="Preview" className="studio min-w-0">
      {template === null && (
        <div className="mb-4">
          <Notice tone="warn">
            {shown
              ? "This is the template before its files had faults."
              : "There is no picture while the files have faults."}
          </Notice>
        </div>
      )}
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
  const faults = useMemo(() => sources.faults.map((fault) => placeFault(slug, fault)), [slug, sources.faults]);
  const goTo = ({ file, line }: PlacedFault) => {
    setCurrent(file);
    // The panel of the file is shown first.
    requestAnimationFrame(() => editors.current[file]?.goTo(line));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
      <section aria-label="Files" className="flex min-w-0 flex-col gap-4">
        <SaveBar {...sources} />
        {Object.values(state.conflicts).map((file) => (
          <Conflict
            key={file.name}
            file={file}
            onTake={() => dispatch({ kind: "taken", file })}
            onOverwrite={() => void sources.overwrite(file)}
          />
        ))}
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
        <FaultList faults={faults} onPick={goTo} />
      </section>
      <PreviewSide template={template} acceptsAddresses={acceptsAddresses} />
    </div>
  );
}
