import { type ErrorCodes, parseFragment } from "parse5";
import { nearestName } from "#lib/nearest-name.ts";
import { maskLiquid } from "#lib/templates/markup/mask-liquid.ts";
import { isShared } from "#lib/templates/shared/shared-files.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import { isMarkup, type Notice, type SourceText } from "./notice.ts";
import { idsOf } from "./unused-styles.ts";

/** What a browser ignores in a markup without an error, by the code of the HTML standard. */
const IGNORED: Partial<Record<ErrorCodes, string>> = {
  ["duplicate-attribute" as ErrorCodes]:
    "Got an attribute twice in one tag. The browser ignores the second one. Join their values, or remove one.",
  ["unknown-named-character-reference" as ErrorCodes]:
    "Got a name after & that HTML does not know, so it is drawn as it is written. Correct the name, or write the character itself.",
};

function ignoredMarkup({ file, text }: SourceText): Notice[] {
  const found: Notice[] = [];
  parseFragment(maskLiquid(text), {
    onParseError: ({ code, startLine: line }) => {
      const reason = IGNORED[code];
      if (reason !== undefined) found.push({ file, line, reason });
    },
  });
  return found;
}

const ID = /\sid\s*=\s*(?:"([\w-]+)"|'([\w-]+)'|([\w-]+))/gi;

/** Ids of elements that no style sheet, address or attribute names. */
function unusedIds(sources: SourceText[]): Notice[] {
  const named = sources.flatMap(idsOf).map(({ name }) => name);
  const markup = sources.filter(isMarkup);
  const isUsed = (id: string) =>
    named.includes(id) ||
    sources.some(({ text }) => text.includes(`#${id}`)) ||
    markup.some(({ text }) => new RegExp(`\\s(?:for|aria-[a-z]+)\\s*=\\s*["'][^"']*\\b${id}\\b`).test(text));
  return markup
    .filter(({ file }) => !isShared(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(ID)].flatMap(({ 1: double, 2: single, 3: bare, index }): Notice[] => {
        const id = double ?? single ?? bare ?? "";
        // A misspelt one of a style sheet is told there.
        if (isUsed(id) || nearestName(id, named) !== undefined) return [];
        const reason = `Got id="${id}", which nothing uses. Name it in style.css, or remove it.`;
        return [{ file, line: lineAt(text, index + 1), reason }];
      }),
    );
}

/** Finds what has no effect in the markup of a template: a browser gives no error for it. */
export function markupNotices(sources: SourceText[]): Notice[] {
  return [...sources.filter(isMarkup).flatMap(ignoredMarkup), ...unusedIds(sources)];
}
