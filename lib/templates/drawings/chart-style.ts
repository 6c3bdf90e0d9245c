import { distinctFrom, inkOn, readableOn, tintOn } from "#lib/type/contrast/colors.ts";
import { hasRtl } from "#lib/type/text/bidi/bidi.ts";
import { keepLtrParts } from "#lib/type/text/bidi/ltr-parts.ts";
import { escapeHtml } from "#lib/type/text/escape-html.ts";
import type { NumberStyle } from "#lib/type/text/numbers.ts";
import type { SeriesValue } from "../fields/series.ts";
import { chartNumbers } from "./chart-numbers.ts";
import { CHART_ATTRIBUTE, type DrawingOptions, numberOption, ROOM_ATTRIBUTE, readOptions } from "./drawing.ts";
import { knownEms } from "./text-widths.ts";

/** The options of every chart filter. */
const OPTIONS = [
  ...[
    "width",
    "height",
    "size",
    "end",
    "ground",
    "color",
    "colors",
    "format",
    "digits",
    "unit",
    "signed",
    "labels",
    "axis",
    "stroke",
  ],
] as const;

/**
 * Colours of Okabe and Ito (2008), which colour-blind readers tell apart. The template's own comes first. The others are for grounds
 * on which some of these look alike.
 */
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const MORE_COLORS = ["#882255", "#808080", "#999933", "#332288", "#117733", "#ffffff", "#000000"];

/** WCAG 1.4.11 asks for 3:1 of graphical objects, and 1.4.3 for 4.5:1 of text. */
const SHAPE_CONTRAST = 3;
const TEXT_CONTRAST = 4.6;

/** How far the colours of two series are apart at least, in steps of CIELAB. */
const SERIES_DISTANCE = 15;

export type ChartStyle = {
  /** CSS pixels. */
  width: number;
  height: number;
  /** The font size of labels, and of the values at the end of a line. */
  size: number;
  end: number;
  stroke: number;
  ground: string;
  ink: string;
  /** The colour of rules and tick labels. */
  quiet: string;
  rule: string;
  hasLabels: boolean;
  /** Without it, lines and areas reach from edge to edge, without rules and values. */
  hasAxis: boolean;
  colorOf(index: number): string;
  textColorOf(index: number): string;
  /** Shortens a name to a width in pixels, with an ellipsis, and notes it. */
  shorten(name: string, size: number, room: number): string;
  /** The names that are not shown whole. */
  shortened: Set<string>;
  write(value: number): string;
  /** The numbers of an axis, which differ from each other. */
  writeTicks(ticks: number[]): string[];
};

function textOption(options: DrawingOptions, name: string, fallback: string): string {
  const given = options[name];
  return given === undefined || given === null || given === "" ? fallback : String(given);
}

/** The colours of series, without those that look like an earlier one on their ground. */
function distinctColors(wanted: string[], ground: string): string[] {
  const shown = (color: string) => readableOn(color, ground, SHAPE_CONTRAST);
  const isApart = (color: string, other: string) =>
    distinctFrom(shown(color), shown(other), SERIES_DISTANCE) === shown(color);
  const kept: string[] = [];
  for (const color of wanted) if (kept.every((other) => isApart(color, other))) kept.push(color);
  return kept;
}

const FORMATS = ["decimal", "percent", "unit", "compact"];

/** @throws TypeError for wrong arguments of a chart filter */
export function readChartStyle(
  filter: string,
  args: unknown[],
  { value, language }: { value: SeriesValue; language: string },
): ChartStyle {
  const options = readOptions(filter, args, OPTIONS);
  const number = (name: string, least: number, most: number, fallback?: number) =>
    numberOption(options, { filter, name, least, most, ...(fallback !== undefined && { fallback }) });
  const [width, height] = [number("width", 40, 4_096), number("height", 12, 4_096)];
  const size = number("size", 8, 200, 22);
  const ground = textOption(options, "ground", "#ffffff");
  const own = textOption(options, "color", PALETTE[0] ?? "");
  const given = textOption(options, "colors", "").split(",").filter(Boolean);
  const first = given[0] ?? own;
  // The colours of a request may be alike, and most charts have one series.
  let colors: string[] | undefined;
  const colorAt = (index: number) => {
    if (index === 0) return first;
    colors ??= distinctColors([first, ...given, ...PALETTE, ...MORE_COLORS], ground);
    return colors[index % colors.length] ?? first;
  };
  const format = textOption(options, "format", "decimal");
  if (!FORMATS.includes(format))
    throw new TypeError(`Got "${format}" for format of ${filter}, want ${FORMATS.join(", ")}.`);
  const style = {
    format,
    ...(options.digits !== undefined && { digits: number("digits", 0, 6) }),
    ...(options.unit !== undefined && { unit: String(options.unit) }),
    signed: options.signed === true,
  } as NumberStyle;
  const shortened = new Set<string>();
  return {
    width,
    height,
    size,
    shortened,
    shorten: (name, nameSize, room) => {
      const text = shorten(name, nameSize, room);
      if (text !== name) shortened.add(name);
      return text;
    },
    end: number("end", 8, 400, size),
    stroke: number("stroke", 1, 40, Math.max(2, size / 7)),
    ground,
    ink: inkOn(ground),
    quiet: readableOn("#7d8590", ground, TEXT_CONTRAST),
    rule: tintOn(inkOn(ground), ground, 16),
    hasLabels: options.labels !== false,
    hasAxis: options.axis !== false,
    colorOf: (index) => readableOn(colorAt(index), ground, SHAPE_CONTRAST),
    textColorOf: (index) => readableOn(colorAt(index), ground, TEXT_CONTRAST),
    ...chartNumbers(style, { value, language }),
  };
}

const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/u;

/**
 * By how much most capitals are wider than other letters, in ems. It counts in words of capitals, which would run into each other
 * otherwise. A single capital is followed by small letters that are narrower than is estimated.
 */
const CAPITAL_EXCESS = 0.14;
/** Capitals that are no wider than that, and those that {@link widthOf} counts with their own width. */
const NARROW_CAPITALS = /[IJLEFSTIÍÌÎÏĪİІЇЈГТЕЁΙΓMWЖШЩЮÆŒЊЉФЫМЪ]/gu;

function widthOf(character: string): number {
  const known = knownEms(character);
  if (known !== undefined) return known;
  if (/[\p{M}\u2066-\u2069]/u.test(character)) return 0;
  if (/\p{Emoji_Presentation}/u.test(character)) return 1.25;
  if (WIDE.test(character)) return 1.05;
  if (/[ЖШЩЮÆŒЊЉ]/u.test(character)) return 1.12;
  if (/[MWmw@%æœжшщюыФфЫМмъЪњљ]|[^ -\u04ff]/u.test(character)) return 0.92;
  return /[ijl.,:;'|!() ]/u.test(character) ? 0.34 : 0.64;
}

/** By how much the words of capitals in a text are wider than the sum of their letters, in ems. */
function excessOf(text: string): number {
  const capitals = text.match(/\p{Lu}{2,}/gu)?.join("") ?? "";
  return CAPITAL_EXCESS * capitals.replaceAll(NARROW_CAPITALS, "").length;
}

/** An upper bound for the width of a text in any font, in ems. SVG texts are placed before they can be measured. */
export function emsOf(text: string): number {
  let ems = excessOf(text);
  for (const character of text) ems += widthOf(character);
  return ems;
}

/** Shortens a text to a width in pixels, with an ellipsis. */
export function shorten(text: string, size: number, room: number): string {
  if (emsOf(text) * size <= room) return text;
  let kept = "";
  let ems = widthOf("…");
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    for (const character of segment) ems += widthOf(character);
    if ((ems + excessOf(kept + segment)) * size > room) break;
    kept += segment;
  }
  return kept === "" ? "" : `${kept.trimEnd()}…`;
}

const round = (value: number) => Math.round(value * 100) / 100;

type Label = {
  x: number;
  /** The baseline of the text. */
  y: number;
  text: string;
  size: number;
  color: string;
  anchor?: "start" | "middle" | "end";
  weight?: number;
  /** How wide it may be, in pixels, if that is more than its estimated width. type/chart-labels.ts makes a wider one smaller. */
  room: number;
};

/**
 * Anchors are those of left to right, so an isolate orders a label from right to left: a name before its value, °م after its number.
 * SVG has no elements for parts of a text, so characters keep the order of 30°C.
 */
function ordered(text: string): string {
  return hasRtl(text) ? `\u2067${keepLtrParts(text)}\u2069` : text;
}

/** A name with its value. In a label from right to left, the number of Wind and 40 מיליון would join the Latin name. */
export function nameWithValue(name: string, value: string): string {
  if (name === "" || !hasRtl(name + value)) return [name, value].filter(Boolean).join(" ");
  return `${hasRtl(name) ? "\u2067" : "\u2066"}${name}\u2069 ${value}`;
}

export function writeLabel({ x, y, text, size, color, anchor = "start", weight, room }: Label): string {
  if (text === "") return "";
  const bold = weight === undefined ? "" : ` font-weight="${weight}"`;
  const widest = round(Math.max(room, emsOf(text) * size));
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${color}" text-anchor="${anchor}" ${ROOM_ATTRIBUTE}="${widest}"${bold}>${escapeHtml(ordered(text))}</text>`;
}

export function writeRule(
  y: number,
  { from, to, color, width = 1 }: { from: number; to: number; color: string; width?: number },
): string {
  return `<path d="M${round(from)} ${round(y)}H${round(to)}" stroke="${color}" stroke-width="${width}" fill="none"/>`;
}

/** The whole picture. Its texts have the font of the element around it; anchors are those of left to right. */
export function writeChart(kind: string, { width, height }: ChartStyle, content: string): string {
  return `<svg ${CHART_ATTRIBUTE}="${kind}" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" style="direction:ltr;overflow:visible;font-variant-numeric:tabular-nums lining-nums">${content}</svg>`;
}
