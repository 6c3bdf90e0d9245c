import { inkOn, readableOn, tintOn } from "#lib/type/contrast/colors.ts";
import { escapeHtml } from "#lib/type/text/escape-html.ts";
import type { CodeLine, TokenKind } from "./code-languages.ts";
import { CELL_EM, type CodeLayout, type CodeRow, layOutCode } from "./code-layout.ts";
import { Drawing, type DrawingOptions, numberOption, readOptions } from "./drawing.ts";

/** The colours of tokens on a light and on a dark ground, before they are made readable on the actual one. */
const PALETTES: Record<"light" | "dark", Record<TokenKind, string>> = {
  light: {
    plain: "#1f2430",
    comment: "#6a7080",
    string: "#0b6b4f",
    constant: "#9a3b00",
    keyword: "#9b1c6b",
    function: "#1f4fbf",
    type: "#0f6a86",
    tag: "#9b1c6b",
    attribute: "#1f4fbf",
    property: "#0f5a80",
    operator: "#4b5263",
    inserted: "#0b6b3a",
    deleted: "#b3261e",
  },
  dark: {
    plain: "#e6e8ee",
    comment: "#939bab",
    string: "#9ad9b0",
    constant: "#ffb27a",
    keyword: "#ff9ac9",
    function: "#8ec5ff",
    type: "#7fdde0",
    tag: "#ff9ac9",
    attribute: "#8ec5ff",
    property: "#a9d3ff",
    operator: "#b9c0cf",
    inserted: "#8fe0a4",
    deleted: "#ff9d93",
  },
};

/** More than the 4.5:1 of WCAG, because a marked line has a tint behind it. */
const TOKEN_CONTRAST = 5.2;
/** The share of the accent in the ground of a marked line, in per cent. */
const MARK_PERCENT = 10;

const OPTIONS = ["width", "height", "size", "min", "leading", "long", "numbers", "ground", "accent"] as const;
const FILTER = "code_block";

/** Rules for code blocks, in templates that have a field of code. Ligatures would show other characters than the code has. */
export const CODE_RULES =
  'code-block{display:block;font-family:"JetBrains Mono",monospace;font-variant-ligatures:none;white-space:pre;text-align:left;direction:ltr;unicode-bidi:isolate}' +
  // Otherwise, two strings in Hebrew change places, and so do a string and the comment behind it.
  "code-token{unicode-bidi:isolate}" +
  "code-row{display:flex;overflow:hidden}code-number{flex:none;text-align:right;user-select:none}" +
  "code-row[data-marked]{background:var(--code-mark);box-shadow:.5em 0 var(--code-mark),-.5em 0 var(--code-mark),-.68em 0 var(--code-accent)}";

type Colors = { kinds: Record<TokenKind, string>; number: string; mark: string; accent: string };

function colorsFor(ground: string, accent: string): Colors {
  const palette = PALETTES[inkOn(ground) === "#000000" ? "light" : "dark"];
  const readable = (color: string) => readableOn(color, ground, TOKEN_CONTRAST);
  const kinds = Object.fromEntries(Object.entries(palette).map(([kind, color]) => [kind, readable(color)]));
  return {
    kinds: kinds as Colors["kinds"],
    number: readable(palette.comment),
    mark: tintOn(accent, ground, MARK_PERCENT),
    accent: readableOn(accent, ground, 3),
  };
}

function writeRow(row: CodeRow, { gutter, size }: CodeLayout, colors: Colors): string {
  const cell = CELL_EM * size;
  const tokens = row.tokens.map(({ text, kind }) =>
    kind === "plain"
      ? escapeHtml(text)
      : `<code-token style="color:${colors.kinds[kind]}">${escapeHtml(text)}</code-token>`,
  );
  const number = row.isFirst ? row.line.number : "";
  const gutterHtml =
    gutter > 0
      ? `<code-number aria-hidden="true" style="width:${(gutter - 2) * cell}px;margin-right:${2 * cell}px;color:${colors.number}">${number}</code-number>`
      : "";
  const rest = row.isCut ? `<code-token style="color:${colors.number}">…</code-token>` : "";
  const indent = row.indent > 0 ? ` style="padding-left:${row.indent * cell}px"` : "";
  return `<code-row${row.line.marked ? " data-marked" : ""}>${gutterHtml}<code-text${indent}>${tokens.join("")}${rest}</code-text></code-row>`;
}

type Wanted = { value: { text: string; lines: CodeLine[] }; layout: CodeLayout; leading: number; colors: Colors };

function writeBlock({ layout, leading, colors }: Wanted): string {
  const { size, rows, hidden } = layout;
  const written = rows.map((row) => writeRow(row, layout, colors)).join("");
  const rest =
    hidden > 0 ? `<code-row><code-rest style="color:${colors.number}">⋯ +${hidden}</code-rest></code-row>` : "";
  const style = `font-size:${size}px;line-height:${size * leading}px;color:${colors.kinds.plain};--code-mark:${colors.mark};--code-accent:${colors.accent}`;
  return `<code-block lang="" style="${style}">${written}${rest}</code-block>`;
}

function textOption(options: DrawingOptions, name: string, fallback: string): string {
  const given = options[name];
  return given === undefined || given === null || given === "" ? fallback : String(given);
}

function isCode(value: unknown): value is Wanted["value"] {
  return typeof value === "object" && value !== null && "lines" in value && Array.isArray(value.lines);
}

/**
 * The Liquid filter `code_block`: draws code into a room of so many pixels, in colours that are readable on the ground.
 * @throws TypeError for a value that is no code, or for wrong arguments
 */
export function drawCodeBlock(value: unknown, ...args: unknown[]): Drawing | string {
  if (value === null || value === undefined) return "";
  if (!isCode(value)) throw new TypeError(`The filter ${FILTER} wants a field of type code.`);
  const options = readOptions(FILTER, args, OPTIONS);
  const number = (name: string, least: number, most: number, fallback?: number) =>
    numberOption(options, { filter: FILTER, name, least, most, ...(fallback !== undefined && { fallback }) });
  const [width, height] = [number("width", 50, 4_096), number("height", 20, 4_096)];
  const size = number("size", 8, 200, 28);
  const minSize = number("min", 8, size, Math.min(size, 16));
  const leading = number("leading", 1, 3, 1.5);
  const long = textOption(options, "long", "wrap");
  if (long !== "wrap" && long !== "cut") throw new TypeError(`Got "${long}" for long of ${FILTER}, want wrap or cut.`);
  const ground = textOption(options, "ground", "#ffffff");
  const colors = colorsFor(ground, textOption(options, "accent", "#3367d6"));
  const room = { width, height, size, minSize, leading, long, hasNumbers: options.numbers === true } as const;
  const layout = layOutCode(value.lines, room);
  const of = value.lines.length;
  const hint = `at ${minSize} px; send fewer or shorter lines`;
  const loss =
    layout.hidden > 0
      ? { code: "text_cut" as const, value, shown: of - layout.hidden, of, unit: "lines", hint }
      : undefined;
  return new Drawing({ html: writeBlock({ value, layout, leading, colors }), text: value.text, loss });
}
