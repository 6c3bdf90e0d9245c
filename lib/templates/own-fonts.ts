import type { Coverage } from "#lib/fonts/coverage.ts";
import type { Assets } from "./assets.ts";
import type { FileFault } from "./template.ts";

const FONT_URL = /^data:font\/[a-z0-9]+;base64,/;

/** What the fonts among a template's assets have a glyph for, and which of them are none. No coverage where there is no font. */
export async function readOwnFonts(assets: Assets): Promise<{ glyphs?: Coverage; faults: FileFault[] }> {
  const fonts = Object.entries(assets).filter(([, url]) => FONT_URL.test(url));
  if (fonts.length === 0) return { faults: [] };
  // Loaded here alone: hardly any template brings a font, and reading one takes a large library.
  const { readCoverage } = await import("#lib/fonts/read-coverage.ts");
  const faults: FileFault[] = [];
  const readable: Uint8Array[] = [];
  for (const [file, url] of fonts) {
    const bytes = Buffer.from(url.replace(FONT_URL, ""), "base64");
    try {
      readCoverage([bytes]);
      readable.push(bytes);
    } catch {
      faults.push({ file, line: 1, reason: "The font cannot be read, want TrueType, OpenType or WOFF2." });
    }
  }
  return { glyphs: readCoverage(readable), faults };
}
