import type { RefObject } from "react";
import { Tabs } from "../ui/content/tabs.tsx";
import { CodeEditor, type EditorHandle } from "./code-editor.tsx";
import type { PlacedFault } from "./fault-list.tsx";
import type { Sources } from "./use-sources.ts";

type CountProps = { count: number; noun: string; look: string };

function Count({ count, noun, look }: CountProps) {
  if (count === 0) return null;
  return (
    <span className={`ml-1.5 ${look}`}>
      {count}
      <span className="sr-only">{count === 1 ? ` ${noun}` : ` ${noun}s`}</span>
    </span>
  );
}

function TabLabel({ name, isDirty, faults }: { name: string; isDirty: boolean; faults: PlacedFault[] }) {
  const notices = faults.filter(({ isNotice }) => isNotice).length;
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
      <Count count={faults.length - notices} noun="fault" look="text-danger" />
      <Count count={notices} noun="notice" look="text-warn" />
    </span>
  );
}

type EditorTabsProps = {
  sources: Sources;
  /** With the notices. */
  faults: PlacedFault[];
  current: string;
  onPick: (name: string) => void;
  editors: RefObject<Record<string, EditorHandle | null>>;
  /** The id of the hint about the keys. */
  hint: string;
};

/** An editor for each file, in a tab. */
export function EditorTabs({ sources, faults, current, onPick, editors, hint }: EditorTabsProps) {
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
          label: <TabLabel name={name} isDirty={dirty.includes(name)} faults={own} />,
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
