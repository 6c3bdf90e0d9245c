import { InkDisplay } from "./ink-display.ts";
import { TextMarker } from "./text-marker.ts";
import { UnitReader } from "./unit-reader.ts";

/**
 * The most characters of a page that are read. To read so many takes a browser two to four seconds, and 300,000 take more memory than it
 * has. A picture of four megapixels has room for 50,000 that a reader can just make out.
 */
export const MAX_READ_CHARACTERS = 50_000;

/**
 * Reads the texts of a page, and prepares the page for {@link callDisplay} and {@link callMarker}. Its value is the units, or the number
 * of characters where there are too many.
 */
export const READ_PAGE = `(() => {
  const reader = new (${UnitReader.toString()})();
  const characters = reader.countCharacters();
  if (characters > ${MAX_READ_CHARACTERS}) return characters;
  const found = reader.read();
  document.inkDisplay = new (${InkDisplay.toString()})(found);
  document.textMarker = new (${TextMarker.toString()})(found);
  return found.map(({ unit }) => unit);
})()`;

function callOf(object: string, method: string, args: unknown[]): string {
  return `document.${object}.${method}(${args.map((arg) => JSON.stringify(arg)).join(",")}) ?? null`;
}

/** An expression that changes what the page shows. */
export function callDisplay(method: "hideTexts" | "prepareInk" | "showInk", ...args: unknown[]): string {
  return callOf("inkDisplay", method, args);
}

/** An expression that puts texts into elements of their own. */
export function callMarker(method: "markUnits" | "markWords", ...args: unknown[]): string {
  return callOf("textMarker", method, args);
}
