import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fontkit from "fontkit";
import { label, type ShippedPackage } from "./lockfile.ts";

/** The paragraph of the copyright, with reserved names of the font. */
const COPYRIGHT = /^Copyright (?:\([cC]\) |© )?\d[\s\S]*?(?=\n\s*\n)/m;

/** Packages of several files repeat the copyright for each. */
const REPEATED = / \S+\.ttf: .*/;

/** The copyright line of the licence in a font's package. */
function statedCopyright({ path }: ShippedPackage): string | undefined {
  const files = globSync("LICENSE{_FONT,}", { cwd: path }).toSorted().toReversed();
  const texts = files.map((file) => readFileSync(join(path, file), "utf8"));
  const openFont = texts.find((text) => text.includes("SIL O"));
  return openFont && COPYRIGHT.exec(openFont.replaceAll("\r\n", "\n"))?.[0];
}

/** The copyright line in the font itself. */
function embeddedCopyright({ path }: ShippedPackage): string | undefined {
  const [file] = globSync("**/*.{ttf,otf,woff,woff2}", { cwd: path }).toSorted();
  if (!file) return undefined;
  const font = fontkit.create(readFileSync(join(path, file)));
  return "copyright" in font ? String(font.copyright) : undefined;
}

/** A line for the font of a package. @throws Error when neither its licence nor the font names a copyright */
export function fontLine(each: ShippedPackage): string {
  const copyright = statedCopyright(each) ?? embeddedCopyright(each);
  if (!copyright) throw new Error(`${label(each)} names no copyright: neither in its licence nor in its font.`);
  return `${label(each)}: ${copyright.replaceAll(/\s+/g, " ").replace(REPEATED, "").trim()}`;
}

/** The licence that all fonts have, without a copyright line. @throws Error when the package has none */
export function openFontLicence({ path }: ShippedPackage): string {
  const text = readFileSync(join(path, "LICENSE_FONT"), "utf8");
  const start = text.indexOf("SIL OPEN FONT LICENSE Version 1.1");
  if (start < 0) throw new Error(`Got no Open Font License in ${path}.`);
  return text.slice(start).trim();
}
