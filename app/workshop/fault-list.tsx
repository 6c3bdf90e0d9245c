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

/** The faults of a template, each with a button that leads to its line. */
export function FaultList({ faults, onPick }: { faults: PlacedFault[]; onPick: (fault: PlacedFault) => void }) {
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
