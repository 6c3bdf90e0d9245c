import { lazy, Suspense } from "react";
import { Notice } from "../ui/feedback/notice.tsx";
import { Button } from "../ui/form/button.tsx";
import type { SourceFile } from "./sources-state.ts";

/** Loaded when there is a conflict. */
const FileComparison = lazy(() => import("./file-comparison.tsx"));

type ConflictNoticeProps = {
  file: SourceFile;
  /** The text of the editor. */
  draft: string;
  onTake: () => void;
  onOverwrite: () => void;
};

/** Shows what differs in a file that changed on disk while its editor had another text, and asks which of the two to keep. */
export function ConflictNotice({ file, draft, onTake, onOverwrite }: ConflictNoticeProps) {
  return (
    <section aria-label={`Conflict in ${file.name}`}>
      <Notice tone="warn" title={`${file.name} has changed on disk`}>
        <p className="mb-3 text-sm">
          Nothing was written. The file on disk is no longer the one that your text comes from. Choose the one to keep.
        </p>
        <Suspense fallback={<p className="text-sm text-soft">Comparing the two texts …</p>}>
          <FileComparison name={file.name} mine={draft} onDisk={file.text} />
        </Suspense>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button size="small" onClick={onTake}>
            Use the file on disk
          </Button>
          <Button size="small" onClick={onOverwrite}>
            Overwrite it with my text
          </Button>
        </div>
      </Notice>
    </section>
  );
}
