import { CodeBlock } from "../ui/content/code-block.tsx";
import { Notice } from "../ui/feedback/notice.tsx";
import { Button } from "../ui/form/button.tsx";
import type { SourceFile } from "./sources-state.ts";

type ConflictNoticeProps = { file: SourceFile; onTake: () => void; onOverwrite: () => void };

/** Shows a file that changed on disk while its editor had another text, and asks which of the two to keep. */
export function ConflictNotice({ file, onTake, onOverwrite }: ConflictNoticeProps) {
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
