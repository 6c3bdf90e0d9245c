import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { type Draft, useDraft } from "./use-draft.ts";

/** The properties of `after` that differ from `before`. */
function changesOf<T extends object>(before: Partial<T>, after: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => value !== before[key as keyof T]),
  ) as Partial<T>;
}

export type Edits<T> = {
  /** What the form shows. */
  values: T;
  /** What to save: routes take only the properties that change. */
  changes: Partial<T>;
  edit: (part: Partial<T>) => void;
  /** Shows what was saved until the page has loaded its data again. */
  settle: (saved: T) => void;
};

/**
 * Keeps the edits of a form apart from the data of its page. A field without an edit shows the page's data, also after the page has
 * loaded it again. Otherwise a save would undo changes made elsewhere, such as a role that was taken away.
 * The edits are kept while the reader signs in again, so none may be a password.
 */
export function useEdits<T extends object>(before: T): Edits<T> {
  const router = useRouter();
  const [edits, setEdits] = useState<Partial<T>>({});
  const [, startTransition] = useTransition();
  const values = { ...before, ...edits };
  const changes = changesOf(before, values);
  useDraft("edits", changes as Draft, (kept) => {
    const known = Object.entries(kept).filter(([name]) => Object.hasOwn(before, name));
    setEdits(Object.fromEntries(known) as Partial<T>);
  });
  return {
    values,
    changes,
    edit: (part) => setEdits((now) => ({ ...now, ...part })),
    settle: (saved) => {
      // Edits made since the form was sent stay.
      setEdits((now) => ({ ...saved, ...changesOf(edits, now) }));
      startTransition(() => {
        router.refresh();
        setEdits((now) => changesOf(saved, now));
      });
    },
  };
}
