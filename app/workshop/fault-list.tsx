import { withKeys } from "../ui/content/with-keys.ts";
import { Notice } from "../ui/feedback/notice.tsx";
import type { LineFault } from "./code-editor.tsx";
import type { Fault } from "./use-sources.ts";

export type PlacedFault = LineFault & { file: string };

/** The file and the line of a fault, as the editors name them. */
export function placeFault(slug: string, { place, reason }: Fault): PlacedFault {
  const [, path = "", line = "1"] = /^(.*):(\d+)$/.exec(place) ?? [];
  return { file: path.replace(`${slug}/`, ""), line: Number(line), reason };
}

type FaultListProps = {
  faults: PlacedFault[];
  /** The files that have an editor. Assets and shared files have none. */
  edited: string[];
  onPick: (fault: PlacedFault) => void;
};

/** The faults of a template. Those in a file with an editor have a button that leads to their line. */
export function FaultList({ faults, edited, onPick }: FaultListProps) {
  const look = "font-mono text-[0.8125rem]";
  return (
    <div role="alert">
      {faults.length > 0 && (
        <Notice tone="error" title={faults.length === 1 ? "1 fault" : `${faults.length} faults`}>
          <ul className="mt-1 flex flex-col gap-2 text-sm [overflow-wrap:anywhere]">
            {withKeys(faults, ({ file, line, reason }) => `${file}:${line} ${reason}`).map(({ key, item }) => (
              <li key={key}>
                {edited.includes(item.file) ? (
                  <button type="button" className={`link ${look}`} onClick={() => onPick(item)}>
                    {item.file}, line {item.line}
                  </button>
                ) : (
                  <span className={look}>
                    {item.file}, line {item.line}
                  </span>
                )}{" "}
                {item.reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
