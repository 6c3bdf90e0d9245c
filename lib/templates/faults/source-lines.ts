import type { FileFault } from "../template.ts";

/** Characters of a line that are shown. */
const SHOWN_CHARS = 160;

/**
 * Adds the line of its file to each fault, and leaves out those that are told already.
 * @param textOf the text of a file, or undefined for one that is no text
 */
export function withSourceLines(faults: FileFault[], textOf: (file: string) => string | undefined): FileFault[] {
  const keys = faults.map(({ file, line, reason }) => `${file}:${line} ${reason}`);
  return faults
    .filter((_, index) => keys.indexOf(keys[index] ?? "") === index)
    .map((fault) => {
      const source = textOf(fault.file)?.split("\n")[fault.line - 1]?.trim().slice(0, SHOWN_CHARS);
      return source ? { ...fault, source } : fault;
    });
}
