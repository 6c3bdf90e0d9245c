import { InkDisplay } from "./ink-display.ts";
import { TextMarker } from "./text-marker.ts";
import { UnitReader } from "./unit-reader.ts";

/** Reads the texts of a page, and prepares the page for {@link callDisplay} and {@link callMarker}. Its value is the units. */
export const READ_PAGE = `(() => {
  const found = new (${UnitReader.toString()})().read();
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
