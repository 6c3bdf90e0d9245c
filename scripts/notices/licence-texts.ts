import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFont, label, type ShippedPackage } from "./lockfile.ts";

const TEXTS_DIR = join(import.meta.dirname, "texts");

/** The files in which packages have their licence. Fonts have theirs in a list of their own. */
const OWN_FILES = "{LICEN[CS]E,licen[cs]e,LICENSE-MIT,COPYING,NOTICE,Licen[cs]e}{,.md,.txt}";

/** Packages that contain other packages with their licences. */
const CONTAINED: Record<string, string> = { next: "dist/compiled/**/LICENSE*" };

const normalize = (text: string) =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();

/** The text of a licence without a copyright line. @throws Error when `scripts/notices/texts` has none */
export function standardText(id: string): string {
  const file = join(TEXTS_DIR, `${id}.txt`);
  if (!existsSync(file)) throw new Error(`There is no ${file}. Add the text of this licence.`);
  return normalize(readFileSync(file, "utf8"));
}

/** The licences that an SPDX expression names. */
export const idsOf = (expression: string) => expression.replaceAll(/[()]/g, "").split(/ (?:AND|OR) /);

/** Who wrote a package, as its package.json says. */
function authorOf({ path }: ShippedPackage): string {
  const file = join(path, "package.json");
  if (!existsSync(file)) return "";
  const { author } = JSON.parse(readFileSync(file, "utf8")) as { author?: string | { name?: string } };
  const name = typeof author === "object" ? author.name : author;
  return name ? `, by ${name}` : "";
}

type OwnText = { of: string; text: string };

/** The licences in one package. Other platforms do not install a package for a platform, so its files are not read. */
function ownTexts(each: ShippedPackage): OwnText[] {
  if (each.isForPlatform || isFont(each)) return [];
  const read = (file: string) => normalize(readFileSync(join(each.path, file), "utf8"));
  const own = globSync(OWN_FILES, { cwd: each.path }).toSorted();
  const contained = CONTAINED[each.name];
  const others = contained ? globSync(contained, { cwd: each.path }).toSorted() : [];
  return [
    ...own.map((file) => ({ of: label(each), text: read(file) })),
    ...others.map((file) => ({ of: `${label(each)} (${dirname(file)})`, text: read(file) })),
  ];
}

export type LicenceText = { text: string; of: string[] };

/** The licences that packages contain, each text once with the packages that contain it. */
export function collectTexts(packages: ShippedPackage[]): { texts: LicenceText[]; withoutText: ShippedPackage[] } {
  const found = packages.flatMap(ownTexts);
  // Texts that differ only in their line breaks are the same.
  const same = Object.values(Object.groupBy(found, ({ text }) => text.replaceAll(/\s+/g, " ").toLowerCase()));
  const texts = same.flatMap((group = []) =>
    group.slice(0, 1).map(({ text }) => ({ text, of: [...new Set(group.map(({ of }) => of))] })),
  );
  const withText = new Set(found.map(({ of }) => of));
  return { texts, withoutText: packages.filter((each) => !isFont(each) && !withText.has(label(each))) };
}

/** A line for a package that contains no licence. */
export const lineWithAuthor = (each: ShippedPackage) =>
  `${label(each)}${each.isForPlatform ? "" : authorOf(each)}: ${each.license}`;
