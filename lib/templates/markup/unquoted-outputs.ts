import { elementsOf } from "../document-tree.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { MASK, maskLiquid } from "./mask-liquid.ts";

type UnquotedAttribute = { value: string; line: number };

/** The attributes that hold an output and have no quotes. In `value`, each character of an output is a {@link MASK}. */
function unquotedAttributes(source: string): UnquotedAttribute[] {
  return elementsOf(maskLiquid(source)).flatMap(({ sourceCodeLocation, attrs }) =>
    attrs.flatMap(({ prefix, name, value }) => {
      const place = sourceCodeLocation?.attrs?.[prefix ? `${prefix}:${name}` : name];
      if (!place || !value.includes(MASK)) return [];
      const isQuoted = /["']$/.test(source.slice(place.startOffset, place.endOffset));
      return isQuoted ? [] : { value, line: place.startLine };
    }),
  );
}

/** Whether an attribute without quotes holds an output, whatever stands before it. */
export function hasUnquotedOutput(source: string): boolean {
  return unquotedAttributes(source).length > 0;
}

/** Finds outputs that begin an attribute without quotes, where a space in a value would start another attribute. */
export function unquotedOutputs(source: string): FileFault[] {
  const reason = "Got an output in an attribute without quotes. Put quotes around it.";
  return unquotedAttributes(source)
    .filter(({ value }) => value.startsWith(MASK))
    .map(({ line }) => ({ file: MARKUP_FILE, line, reason }));
}
