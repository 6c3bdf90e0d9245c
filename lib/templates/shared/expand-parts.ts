import type { FileFault } from "../template.ts";
import { FileRefused, lineAt } from "../template-files.ts";
import { readPart } from "./shared-files.ts";

/** The tags that stand for a part. The name is in quotes, and nothing follows it. */
const PART_TAG = /\{%-?\s*(include|render)\b([^%]*?)-?%\}/g;
const QUOTED_NAME = /^\s*(?:"([^"]*)"|'([^']*)')\s*$/;

/** Parts in parts. Deeper ones are a mistake. */
const MAX_DEPTH = 8;

/** Characters of a body with its parts, and how many parts it has. Parts that include others can double at every level, even empty ones. */
const MAX_CHARS = 500_000;
const MAX_PARTS = 1_000;

type Place = { file: string; line: number };

/** A text in which every part stands at its place. */
export type ExpandedText = {
  text: string;
  /** The file and line that a line of `text` comes from, both counted from 1. */
  originOf(line: number): Place;
  faults: FileFault[];
};

/** Collects text, and where each of its lines comes from. */
class Writer {
  readonly faults: FileFault[] = [];
  /** How many parts were asked for. */
  parts = 0;
  readonly #origins: Place[] = [];
  #hasInk = false;
  #text = "";

  get length(): number {
    return this.#text.length;
  }

  write(text: string, { file, line }: Place): void {
    for (const [index, content] of text.split("\n").entries()) {
      if (index > 0) {
        this.#text += "\n";
        this.#origins.push({ file, line: line + index });
        this.#hasInk = false;
      } else if (this.#origins.length === 0 || !this.#hasInk) {
        // A line that begins with a part is reported at its place in the part.
        this.#origins[Math.max(0, this.#origins.length - 1)] = { file, line };
      }
      this.#text += content;
      this.#hasInk ||= content.trim() !== "";
    }
  }

  finish(file: string): ExpandedText {
    if (this.length > MAX_CHARS && this.faults.length === 0) {
      const reason = `Got ${this.length} characters with the parts, want at most ${MAX_CHARS}.`;
      this.faults.push({ file, line: 1, reason });
    }
    const origins = this.#origins;
    const last = origins.at(-1) ?? { file: "", line: 1 };
    return { text: this.#text, originOf: (line) => origins[line - 1] ?? last, faults: this.faults };
  }
}

type Expansion = { root: string; writer: Writer; open: string[] };

function partOf(argument: string, { root, open }: Expansion): { name: string; source: string } {
  const [, double, single] = QUOTED_NAME.exec(argument) ?? [];
  const name = double ?? single;
  if (name === undefined)
    throw new FileRefused(
      `Got "${argument.trim().slice(0, 60)}", want only the name of a part in quotes. Set variables with {% assign %} before it`,
    );
  if (open.includes(name)) throw new FileRefused(`"${name}" contains itself`);
  if (open.length > MAX_DEPTH) throw new FileRefused(`Parts are nested more than ${MAX_DEPTH} deep`);
  return { name, source: readPart(root, name) };
}

function expand(source: string, file: string, expansion: Expansion): void {
  const { root, writer, open } = expansion;
  let end = 0;
  for (const { 0: tag, 2: argument = "", index } of source.matchAll(PART_TAG)) {
    writer.write(source.slice(end, index), { file, line: lineAt(source, end) });
    end = index + tag.length;
    try {
      if (writer.length > MAX_CHARS) throw new FileRefused(`The parts have more than ${MAX_CHARS} characters`);
      if (++writer.parts > MAX_PARTS) throw new FileRefused(`There are more than ${MAX_PARTS} parts`);
      const { name, source: part } = partOf(argument, expansion);
      // The line end of the file is not one of the document.
      expand(part.replace(/\n$/, ""), name, { root, writer, open: [...open, name] });
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      writer.faults.push({ file, line: lineAt(source, index), reason: `${error.message}.` });
    }
  }
  writer.write(source.slice(end), { file, line: lineAt(source, end) });
}

/**
 * Puts the parts of a body at the place of their tags, `{% include "_parts/head.html" %}`, before anything is checked. A part
 * thus has the variables of the template, and all checks and limits of its own text.
 * @param root the templates folder
 */
export function expandParts(source: string, { file, root }: { file: string; root: string }): ExpandedText {
  const writer = new Writer();
  expand(source, file, { root, writer, open: [] });
  return writer.finish(file);
}
