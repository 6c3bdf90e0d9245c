/** A file as it is on disk. */
export type SourceFile = { name: string; text: string; version: string };

type ByName<T> = Record<string, T>;

/** The files on disk beside the texts of the editors. */
export type SourcesState = {
  /** The files that the texts come from. */
  known: ByName<SourceFile>;
  drafts: ByName<string>;
  /** Files that changed on disk while the editor had another text. */
  conflicts: ByName<SourceFile>;
  /** How often the text of an editor was replaced from outside. */
  revisions: ByName<number>;
};

/** A text that was not saved when the reader left, and the version of the file that it comes from. */
export type KeptDraft = { text: string; version: string };

export type SourcesEvent =
  | { kind: "edited"; name: string; text: string }
  | { kind: "found" | "saved" | "refused" | "taken" | "overwritten"; file: SourceFile }
  | { kind: "restored"; name: string; draft: KeptDraft };

const from = <T>(entries: [string, T][]): ByName<T> => Object.fromEntries(entries);

export function startSources(files: SourceFile[]): SourcesState {
  return {
    known: from(files.map((file) => [file.name, file])),
    drafts: from(files.map(({ name, text }) => [name, text])),
    conflicts: {},
    revisions: {},
  };
}

/** The files whose texts are not saved, in their order. */
export function dirtyNames({ known, drafts }: SourcesState): string[] {
  return Object.keys(known).filter((name) => drafts[name] !== known[name]?.text);
}

/** What to keep while the reader is elsewhere. */
export function keptDrafts(state: SourcesState): ByName<KeptDraft> {
  return from(
    dirtyNames(state).map((name) => [
      name,
      { text: state.drafts[name] ?? "", version: state.known[name]?.version ?? "" },
    ]),
  );
}

const without = <T>(record: ByName<T>, name: string): ByName<T> =>
  from(Object.entries(record).filter(([key]) => key !== name));

function adopt(state: SourcesState, file: SourceFile): SourcesState {
  const { known, conflicts } = state;
  return { ...state, known: { ...known, [file.name]: file }, conflicts: without(conflicts, file.name) };
}

/** Puts a text into the editor. */
function replace(state: SourcesState, name: string, text: string): SourcesState {
  const { drafts, revisions } = state;
  return {
    ...state,
    drafts: { ...drafts, [name]: text },
    revisions: { ...revisions, [name]: (revisions[name] ?? 0) + 1 },
  };
}

const conflict = (state: SourcesState, file: SourceFile): SourcesState => ({
  ...state,
  conflicts: { ...state.conflicts, [file.name]: file },
});

/** Takes over a file that changed on disk, unless the editor has a text of its own that it would lose. */
function meet(state: SourcesState, file: SourceFile): SourcesState {
  const [before, draft] = [state.known[file.name], state.drafts[file.name]];
  if (before?.version === file.version) return state;
  if (draft === file.text) return adopt(state, file);
  if (before !== undefined && draft !== before.text) return conflict(state, file);
  return replace(adopt(state, file), file.name, file.text);
}

/** Puts back a text that was not saved. A file that has changed since is a conflict. */
function restore(state: SourcesState, name: string, { text, version }: KeptDraft): SourcesState {
  const file = state.known[name];
  if (!file || file.text === text) return state;
  const restored = replace(state, name, text);
  return file.version === version ? restored : conflict(restored, file);
}

/** No event loses a text of the reader: only `taken` replaces one, as the reader chose, and the editor can undo that. */
export function reduceSources(state: SourcesState, event: SourcesEvent): SourcesState {
  switch (event.kind) {
    case "edited":
      return { ...state, drafts: { ...state.drafts, [event.name]: event.text } };
    case "found":
      return meet(state, event.file);
    case "saved":
    case "overwritten":
      return adopt(state, event.file);
    case "refused":
      return conflict(state, event.file);
    case "taken":
      return replace(adopt(state, event.file), event.file.name, event.file.text);
    case "restored":
      return restore(state, event.name, event.draft);
  }
}
