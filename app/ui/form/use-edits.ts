import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

/** The properties of `after` that differ: routes take only what is to change. */
function changesOf<T extends object>(before: T, after: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => value !== before[key as keyof T]),
  ) as Partial<T>;
}

export type Edits<T> = {
  /** What the form shows. */
  values: T;
  /** What is to be saved. */
  changes: Partial<T>;
  edit: (part: Partial<T>) => void;
  /** Shows what was saved until the page has loaded its data again. */
  settle: (saved: T) => void;
};

/**
 * The edits of a form over data of the page. What is not edited follows the page, which shows what has changed elsewhere when it
 * loads its data again. Otherwise a save would bring back what was changed elsewhere: an email, or a role that was taken away.
 */
export function useEdits<T extends object>(before: T): Edits<T> {
  const router = useRouter();
  const [edits, setEdits] = useState<Partial<T>>({});
  const [, startTransition] = useTransition();
  const values = { ...before, ...edits };
  return {
    values,
    changes: changesOf(before, values),
    edit: (part) => setEdits({ ...edits, ...part }),
    settle: (saved) => {
      setEdits(saved);
      startTransition(() => {
        router.refresh();
        setEdits({});
      });
    },
  };
}
