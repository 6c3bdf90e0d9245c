import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { isShared } from "#lib/templates/shared/shared-files.ts";
import { isSheet, type Notice, type SourceText } from "./notice.ts";

/**
 * Properties of pages that people use. Nobody points at a picture, scrolls it or selects its text. `resize` is not one: its grip is
 * drawn. Other properties that begin with `scroll` decide what an animation shows.
 */
const USED_ONLY = /^(?:cursor|pointer-events|user-select|touch-action|caret-color|scroll-behavior)$/i;

const TRANSITION = /^transition(?:-.+)?$/i;

/** States that no element of a picture is in. */
const STATE = /(?<!\\):(?:hover|active|focus(?:-visible|-within)?|visited|target)(?![\w-])/i;

/** Strings, attributes and negations: what they name is not what a selector asks for. */
const NOT_ASKED = /"[^"]*"|'[^']*'|\[[^\]]*\]|:not\((?:[^()]|\([^()]*\))*\)/gi;

const ANIMATION = /^(?:-webkit-)?animation(?:-name)?$/i;

/** What chooses another moment of an animation than its first one: a style sheet, or a `style` attribute. */
const POSED =
  /\banimation-(?:timeline|play-state|delay)\b|\banimation\s*:[^;}]*(?:\bpaused\b|\s-[\d.]|(?:calc|var)\()/i;

const FIRST_MOMENT = "of which a picture shows the first moment only. Declare that moment without it, and remove it.";

const RESETS = /^(?:none|auto|initial)$/i;

/** Finds what a style sheet says about pages that people use, such as `cursor` and `:hover`, and not about a picture. */
export function stillStyles(sources: SourceText[]): Notice[] {
  const sheets = sources.filter(isSheet);
  // With it, a picture shows the beginning of a transition.
  const hasStart = sheets.some(({ text }) => /@starting-style\b/i.test(text));
  const isPosed = sources.some(({ text }) => POSED.test(text));
  const isIdle = (property: string) => USED_ONLY.test(property) || (!hasStart && TRANSITION.test(property));
  return sheets.flatMap(({ file, text }) => {
    const sheet = parseSheet(text, file);
    const found: Notice[] = [];
    if (isShared(file) || "reason" in sheet) return found;
    sheet.walk((node) => {
      const line = node.source?.start?.line ?? 1;
      const [state] = (node.type === "rule" && STATE.exec(node.selector.replace(NOT_ASKED, ""))) || [];
      if (state !== undefined)
        found.push({
          file,
          line,
          reason: `Got "${state}", but no element of a picture is ever in this state. Remove it.`,
        });
      const isMoving =
        (node.type === "atrule" && /^starting-style$/i.test(node.name)) ||
        (node.type === "decl" && !isPosed && ANIMATION.test(node.prop) && !RESETS.test(node.value));
      if (isMoving)
        found.push({
          file,
          line,
          reason: `Got "${node.type === "decl" ? node.prop : "@starting-style"}", ${FIRST_MOMENT}`,
        });
      if (node.type === "decl" && isIdle(node.prop) && !RESETS.test(node.value))
        found.push({ file, line, reason: `Got "${node.prop}", which has no effect in a picture. Remove it.` });
    });
    return found;
  });
}
