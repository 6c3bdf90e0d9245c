import { elementsOf } from "../document-tree.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";

/** Replaces Liquid by characters that mean nothing in HTML, so that its quotes and brackets count as none of HTML. */
function maskLiquid(source: string): string {
  const masked = source.replaceAll(/\{\{[\s\S]*?\}\}/g, (output) => output.replaceAll(/[^\n]/g, MASK));
  return masked.replaceAll(/\{%[\s\S]*?%\}/g, (tag) => tag.replaceAll(/[^\n]/g, " "));
}

/** Stands for a character of an output. Nobody writes it in a template. */
const MASK = "\ue000";

/** Finds outputs in attributes without quotes, where a space in a value would start another attribute. */
export function unquotedOutputs(source: string): FileFault[] {
  const reason = "Got an output in an attribute without quotes. Put quotes around it.";
  return elementsOf(maskLiquid(source)).flatMap(({ sourceCodeLocation, attrs }) =>
    attrs.flatMap((attribute) => {
      const place =
        sourceCodeLocation?.attrs?.[attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name];
      if (!place || !attribute.value.startsWith(MASK)) return [];
      const written = source.slice(place.startOffset, place.endOffset);
      return /["']$/.test(written) ? [] : { file: MARKUP_FILE, line: place.startLine, reason };
    }),
  );
}
