import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { isShared } from "#lib/templates/shared/shared-files.ts";
import type { Notice, SourceText } from "./notice.ts";

/** Properties of pages that people use. Nobody points at a picture, scrolls it or selects its text. */
const USED_ONLY =
  /^(?:transition(?:-.+)?|cursor|pointer-events|user-select|touch-action|caret-color|resize|scroll-.+)$/i;

/** States that no element of a picture is in. */
const STATE = /(?<!\\):(?:hover|active|focus(?:-visible|-within)?|visited|target)(?![\w-])/i;

/** Finds what a style sheet says about pages that people use, such as `cursor` and `:hover`, and not about a picture. */
export function stillStyles(sources: SourceText[]): Notice[] {
  const own = sources.filter(({ file }) => file.endsWith(".css") && !isShared(file));
  return own.flatMap(({ file, text }) => {
    const sheet = parseSheet(text, file);
    const found: Notice[] = [];
    if ("reason" in sheet) return found;
    sheet.walk((node) => {
      const line = node.source?.start?.line ?? 1;
      const [state] = (node.type === "rule" && STATE.exec(node.selector)) || [];
      if (state !== undefined)
        found.push({
          file,
          line,
          reason: `Got "${state}", but no element of a picture is ever in this state. Remove it.`,
        });
      if (node.type === "decl" && USED_ONLY.test(node.prop) && !/^(?:none|auto|initial)$/i.test(node.value))
        found.push({ file, line, reason: `Got "${node.prop}", which has no effect in a picture. Remove it.` });
    });
    return found;
  });
}
