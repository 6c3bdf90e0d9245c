"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { send } from "../ui/api/api.ts";
import { toFailure } from "../ui/api/api-failure.ts";
import { notify, notifyFailure } from "../ui/feedback/toasts.tsx";
import { forgetInTab, keepInTab, readInTab } from "../ui/page/tab-storage.ts";
import {
  dirtyNames,
  type KeptDraft,
  keptDrafts,
  reduceSources,
  type SourceFile,
  type SourcesEvent,
  type SourcesState,
  startSources,
} from "./sources-state.ts";

export type Fault = { place: string; reason: string; source?: string | undefined };

type SaveResult = { status: "saved" | "changed"; file: SourceFile; faults: Fault[] };

/** Keeps unsaved texts while the reader is on another page, and asks before the window is closed. */
function useKeptDrafts(slug: string, state: SourcesState, dispatch: (event: SourcesEvent) => void): void {
  const key = `workshop ${slug}`;
  const isDirty = dirtyNames(state).length > 0;
  const restore = useEffectEvent(() => {
    const kept = (readInTab(key) ?? {}) as Record<string, KeptDraft>;
    for (const [name, draft] of Object.entries(kept)) dispatch({ kind: "restored", name, draft });
  });
  useEffect(() => restore(), []);
  useEffect(() => {
    if (!isDirty) return;
    keepInTab(key, keptDrafts(state));
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [key, isDirty, state]);
  // Not at first, when the kept texts are not restored yet.
  const wasDirty = useWasTrue(isDirty);
  useEffect(() => {
    if (wasDirty && !isDirty) forgetInTab((name) => name === key);
  }, [key, wasDirty, isDirty]);
}

function useWasTrue(value: boolean): boolean {
  const [was, setWas] = useState(value);
  if (value && !was) setWas(true);
  return was;
}

type SourcesInit = { slug: string; files: SourceFile[]; faults: Fault[] };

export type Sources = ReturnType<typeof useSources>;

/** The files as they are on disk, the texts of the editors, and what writes the ones to the others. */
export function useSources({ slug, files, faults: given }: SourcesInit) {
  const router = useRouter();
  const [state, dispatch] = useReducer(reduceSources, files, startSources);
  const [faults, setFaults] = useState(given);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => {
    for (const file of files) dispatch({ kind: "found", file });
  }, [files]);
  useEffect(() => setFaults(given), [given]);
  useKeptDrafts(slug, state, dispatch);
  const dirty = dirtyNames(state);
  const write = async (name: string, version: string | undefined): Promise<boolean> => {
    const body = { name, text: state.drafts[name] ?? "", version };
    const { status, file, faults: found } = await send<SaveResult>("POST", `/api/workshop/files/${slug}`, body);
    setFaults(found);
    dispatch({ kind: status === "saved" ? "saved" : "refused", file });
    return status === "saved";
  };
  const writeAll = async (versions: [name: string, version: string | undefined][]) => {
    if (isSaving || versions.length === 0) return;
    setSaving(true);
    try {
      const saved: string[] = [];
      for (const [name, version] of versions) if (await write(name, version)) saved.push(name);
      if (saved.length > 0) notify(`Saved ${saved.join(", ")}`);
      router.refresh();
    } catch (error) {
      notifyFailure(toFailure(error));
    } finally {
      setSaving(false);
    }
  };
  const savable = dirty.filter((name) => state.conflicts[name] === undefined);
  return {
    state,
    dirty,
    faults,
    isSaving,
    dispatch,
    save: () => writeAll(savable.map((name) => [name, state.known[name]?.version])),
    /** Writes the text of the editor over the file on disk, if that is still the one that was shown. */
    overwrite: async (file: SourceFile) => {
      dispatch({ kind: "overwritten", file });
      await writeAll([[file.name, file.version]]);
    },
  };
}
