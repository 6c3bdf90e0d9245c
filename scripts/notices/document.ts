import { globSync, readFileSync } from "node:fs";
import { browserSection, librarySection, PART_LICENCES } from "./browser-parts.ts";
import { fontLine, openFontLicence } from "./font-copyrights.ts";
import { collectTexts, idsOf, lineWithAuthor, standardText } from "./licence-texts.ts";
import { inventory, isFont, type ShippedPackage } from "./lockfile.ts";

/** Where the installed Node and libvips have what they contain. Only one of the platforms is installed, and all say the same. */
const INSTALLED = {
  node: "node_modules/node-linux-{x64,arm64}/LICENSE",
  libvips: "node_modules/@img/sharp-libvips-*/README.md",
};

const RULE = "=".repeat(80);
const titled = (title: string, text: string) => `${RULE}\n${title}\n${RULE}\n\n${text}`;

function readInstalled(pattern: string): string {
  const [file] = globSync(pattern).toSorted();
  if (!file) throw new Error(`Got no ${pattern}, want an installed tree: run npm ci.`);
  return readFileSync(file, "utf8");
}

/** The table of the parts of libvips, without what follows it. */
function libvipsParts(): string {
  const rows = readInstalled(INSTALLED.libvips).match(/^\|.*\|$/gm) ?? [];
  return rows.map((row) => row.replaceAll(/ +/g, " ")).join("\n");
}

/**
 * Everything that an installation contains, with licences and copyright lines.
 * @param packages as `shippedPackages` returns them; they must be installed
 * @throws Error when a package has no licence text, or a font no copyright
 */
export function noticesOf(packages: ShippedPackage[]): string {
  const fonts = packages.filter(isFont);
  const { texts, withoutText } = collectTexts(packages);
  const [font] = fonts.filter(({ name }) => name.startsWith("@expo-google-fonts/"));
  const browser = packages.find(({ name }) => name === "@sparticuz/chromium");
  if (!font || !browser) throw new Error("Got no font or no browser in package-lock.json.");
  const needed = withoutText.flatMap(({ license }) => idsOf(license));
  // The LGPL 3 is an addition to the GPL 3.
  const ids = [...new Set([...needed, ...PART_LICENCES, "GPL-3.0"])].toSorted();
  const sections = [
    `Third-party notices of Platen

What an installation of Platen contains besides Platen itself, and under which licences. npm run notices writes this file
from package-lock.json. npm run sbom prints the same packages as a CycloneDX document.`,
    titled("Packages", inventory(packages)),
    titled(
      "Fonts",
      `The fonts in these packages have the SIL Open Font License 1.1, which follows. What is around them has the MIT License.\n\n${fonts
        .map(fontLine)
        .join("\n")}\n\n${openFontLicence(font)}`,
    ),
    titled("The browser", browserSection(browser.version)),
    titled("Parts of libraries", `${librarySection()}\n\nlibvips (in @img/sharp-libvips-…):\n\n${libvipsParts()}`),
    titled("Node.js", readInstalled(INSTALLED.node).trim()),
    titled(
      "Packages without a licence text of their own",
      `Their licences are below, under "Standard texts".\n\n${withoutText.map(lineWithAuthor).join("\n")}`,
    ),
    ...texts.map(({ text, of }) => titled(of.join("\n"), text)),
    ...ids.map((id) => titled(`Standard texts: ${id}`, standardText(id))),
  ];
  return `${sections.join("\n\n")}\n`;
}
