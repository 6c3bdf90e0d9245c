import type { FileFault } from "../template.ts";
import { tellFirst } from "./first-faults.ts";

/** Characters of a line that are shown. */
const SHOWN_CHARS = 160;

/**
 * Adds the line of its file to each fault, and leaves out repetitions. Of each file, the first faults are kept; see {@link tellFirst}.
 * @param textOf the text of a file, or undefined for one that is no text
 */
export function withSourceLines(faults: FileFault[], textOf: (file: string) => string | undefined): FileFault[] {
  const found = new Map(faults.map((fault) => [`${fault.file}:${fault.line} ${fault.reason}`, fault]));
  const lines = new Map<string, string[] | undefined>();
  const linesOf = (file: string) => {
    if (!lines.has(file)) lines.set(file, textOf(file)?.split("\n"));
    return lines.get(file);
  };
  const withSource = (fault: FileFault) => {
    const source = linesOf(fault.file)?.[fault.line - 1]?.trim().slice(0, SHOWN_CHARS);
    return source ? { ...fault, source } : fault;
  };
  return [...Map.groupBy(found.values(), ({ file }) => file).values()].flatMap((ofFile) =>
    tellFirst(ofFile, withSource),
  );
}
