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

type PlacesProps = {
  faults: PlacedFault[];
  /** The files that have an editor. Assets and shared files that the template does not name have none. */
  edited: string[];
  onPick: (fault: PlacedFault) => void;
};

/** Faults with their places. Those in a file with an editor have a button that leads to their line. */
function Places({ faults, edited, onPick }: PlacesProps) {
  const look = "font-mono text-[0.8125rem]";
  return (
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
  );
}

const countOf = (count: number, noun: string) => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

/** The faults of a template, and below them what has no effect in it. */
export function FaultList({ faults: all, ...rest }: PlacesProps) {
  const faults = all.filter(({ isNotice }) => !isNotice);
  const notices = all.filter(({ isNotice }) => isNotice);
  return (
    <>
      <div role="alert" className="empty:absolute">
        {faults.length > 0 && (
          <Notice tone="error" title={countOf(faults.length, "fault")}>
            <Places faults={faults} {...rest} />
          </Notice>
        )}
      </div>
      <div role="status" className="empty:absolute">
        {notices.length > 0 && (
          <Notice
            tone="warn"
            title={`${countOf(notices.length, "notice")}: the picture is drawn, but this has no effect`}
          >
            <Places faults={notices} {...rest} />
          </Notice>
        )}
      </div>
    </>
  );
}
