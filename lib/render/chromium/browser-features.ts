import { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { FAMILIES } from "#lib/fonts/families.ts";
import { CHROMIUM_FONT_FAMILIES } from "#lib/fonts/generic-families.ts";
import type { Commands } from "./connection.ts";

/**
 * What templates and measurements need, each with an expression that is true in a browser that has it. Without the first two, a
 * browser draws texts over one another, and reports nothing. Without the last one, it cannot measure a drawing.
 */
const REQUIRED = {
  "text-box": 'CSS.supports("text-box", "trim-both cap alphabetic")',
  "writing-mode: sideways-lr": 'CSS.supports("writing-mode", "sideways-lr")',
  "isPointInStroke() with a point of any type": `(() => {
    try { document.createElementNS("http://www.w3.org/2000/svg", "path").isPointInStroke({ x: 0, y: 0 }); }
    catch (error) { return !(error instanceof TypeError); }
    return true;
  })()`,
};

const tests = Object.entries(REQUIRED).map(([name, test]) => `[${JSON.stringify(name)}, ${test}]`);

/** An expression for {@link requireFeatures}: `true`, or the names of what the browser lacks. */
export const MISSING_FEATURES = `(() => {
  const missing = [${tests.join(",")}].filter(([, isThere]) => !isThere).map(([name]) => name);
  return missing.length === 0 || missing.join(", ");
})()`;

/**
 * Refuses a browser that would draw wrong pictures: one of the operator may be years older than the bundled one.
 * @param missing the value of {@link MISSING_FEATURES} @throws AppError `misconfigured`
 */
export function requireFeatures(missing: unknown): void {
  if (missing === true) return;
  throw new AppError("misconfigured", `The browser is too old, want Chromium 138 or newer. It lacks: ${missing}.`);
}

/** Families with Latin letters: text in a family that the browser lacks is as wide as in the family after it. */
const MEASURED_FAMILIES = FAMILIES.flatMap(({ name, subset }) => (subset === undefined ? name : []));

/** An expression for {@link readMissingFonts}. It takes 0.1 s, because the browser opens the files of all families. */
export const MISSING_FONTS = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  const widthIn = (families) => {
    context.font = "40px " + families;
    return context.measureText("RQgjmw & 0123 Hamburg").width;
  };
  const isMissing = (name) =>
    ["serif", "monospace"].every((next) => widthIn(JSON.stringify(name) + ", " + next) === widthIn(next));
  return ${JSON.stringify(MEASURED_FAMILIES)}.filter(isMissing);
})()`;

/** The bundled families that a browser lacks. @param missing the value of {@link MISSING_FONTS} */
export function readMissingFonts(missing: unknown): string[] {
  return z.array(z.string()).safeParse(missing).data ?? [];
}

/** The media features of a reader who has no preferences. */
const NO_PREFERENCES = Object.entries({
  "forced-colors": "none",
  "prefers-color-scheme": "light",
  "prefers-contrast": "no-preference",
  "prefers-reduced-motion": "no-preference",
  "prefers-reduced-transparency": "no-preference",
}).map(([name, value]) => ({ name, value }));

/** The sizes of text in pixels that Chromium has by default. */
const FONT_SIZES = { standard: 16, fixed: 13 };

/**
 * Makes a page independent of the settings of its machine, which flags do not cover: the high contrast of Windows replaces all colours
 * of a picture. A remote browser has no flags of Platen at all.
 */
export async function forgetMachine(page: Commands): Promise<void> {
  await Promise.all([
    page.send("Page.setFontFamilies", CHROMIUM_FONT_FAMILIES),
    page.send("Page.setFontSizes", { fontSizes: FONT_SIZES }),
    page.send("Emulation.setScrollbarsHidden", { hidden: true }),
    page.send("Emulation.setEmulatedMedia", { features: NO_PREFERENCES }),
    page.send("Emulation.setAutoDarkModeOverride", { enabled: false }),
  ]);
}
