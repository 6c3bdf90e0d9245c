import { createHash, randomUUID } from "node:crypto";
import { lstat, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { AppError } from "#lib/errors.ts";
import { findHome, type TemplateHome } from "#lib/templates/folders/template-home.ts";
import { TEXT_FILES } from "#lib/templates/folders/template-texts.ts";
import { namedParts } from "#lib/templates/shared/named-parts.ts";
import { PART_NAME, PARTS_FOLDER } from "#lib/templates/shared/shared-files.ts";
import { MAX_TEXT_BYTES } from "#lib/templates/template-files.ts";

/** A text file of a template, or of all templates of its folder. */
export type SourceFile = {
  /** Such as `style.css` or `_parts/head.html`. */
  name: string;
  text: string;
  /** Changes with the content of the file. */
  version: string;
};

/** The version of a file that does not exist. */
const ABSENT = "absent";

/** What became of a text that was to be saved. `changed`: the file is not what the editor had, and stays as it is. */
export type Saved = { status: "saved" | "changed"; file: SourceFile };

const OWN_FILES: readonly string[] = TEXT_FILES;

function refuse(message: string): AppError {
  return new AppError("invalid_request", message);
}

const versionOf = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false;
}

/** @throws AppError `not_found` */
function homeOf(slug: string): TemplateHome {
  const home = findHome(slug);
  if (home) return home;
  throw new AppError("not_found", `There is no folder of a template "${slug.slice(0, 80)}".`);
}

/**
 * The path of a file that may be edited.
 * @throws AppError `invalid_request` for another name, and for a path that leads out of the templates folder by a link
 */
async function pathOf({ folder, root }: TemplateHome, name: string): Promise<string> {
  if (!OWN_FILES.includes(name) && !PART_NAME.test(name))
    throw refuse(`Got the file "${name.slice(0, 60)}", want ${OWN_FILES.join(", ")} or a file of ${PARTS_FOLDER}.`);
  const path = join(/* turbopackIgnore: true */ OWN_FILES.includes(name) ? folder : root, name);
  const [parent, inside] = await Promise.all([realpath(dirname(path)).catch(() => ""), realpath(root)]);
  if (parent !== inside && !parent.startsWith(inside + sep))
    throw refuse(`The folder of ${name} is not in the templates folder. Edit the file where it is.`);
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw refuse(`${name} is a link or a folder, which is not followed here. Edit the file where it is.`);
  return path;
}

async function readSource(path: string, name: string): Promise<SourceFile> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw refuse(`${name} cannot be read (${error.code}).`);
  });
  if (content === undefined) return { name, text: "", version: ABSENT };
  if (content.length > MAX_TEXT_BYTES)
    throw refuse(`${name} has ${content.length} bytes, want at most ${MAX_TEXT_BYTES}.`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return { name, text, version: versionOf(content) };
  } catch {
    throw refuse(`${name} is not UTF-8 text. Convert it first.`);
  }
}

/** The parts that a template names and that can be edited. A link is none of them. */
async function editableParts({ root }: TemplateHome, texts: string[]): Promise<string[]> {
  const names = [...namedParts(root, texts).keys()];
  const isPlain = await Promise.all(names.map((name) => isPlainFile(join(/* turbopackIgnore: true */ root, name))));
  return names.filter((_, index) => isPlain[index]);
}

/** The files of a template that can be edited. @throws AppError `not_found`, `invalid_request` */
export async function readSources(slug: string): Promise<SourceFile[]> {
  const home = homeOf(slug);
  const read = async (name: string) => readSource(await pathOf(home, name), name);
  const own = await Promise.all(OWN_FILES.map(read));
  const parts = await editableParts(
    home,
    own.map(({ text }) => text),
  );
  return [...own, ...(await Promise.all(parts.map(read)))];
}

/** Replaces a file at once: a reader finds the old or the new text, and a full disk leaves the old one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const staging = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const mode = (await lstat(path).catch(() => undefined))?.mode;
  try {
    const handle = await open(staging, "wx", mode === undefined ? 0o644 : mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(staging, path);
  } catch (error) {
    await rm(staging, { force: true });
    throw error;
  }
}

/** A text as the editor has it, and the version of the file that it comes from. */
export type Draft = { slug: string } & SourceFile;

/** @throws AppError `not_found`, `invalid_request` */
async function save({ slug, name, text, version }: Draft): Promise<Saved> {
  const path = await pathOf(homeOf(slug), name);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) throw refuse(`Got ${bytes} bytes, want at most ${MAX_TEXT_BYTES}.`);
  const onDisk = await readSource(path, name);
  // The same text again, as after an answer that got lost, is no conflict.
  if (onDisk.version !== version && onDisk.text !== text) return { status: "changed", file: onDisk };
  await replaceFile(path, text);
  return { status: "saved", file: { name, text, version: versionOf(text) } };
}

/** The saves under way, one after the other, so that none misses what another one has just written. */
let lastSave: Promise<unknown> = Promise.resolve();

/**
 * Writes a text to its file, unless the file is no longer the version that the text comes from.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function saveSource(draft: Draft): Promise<Saved> {
  const saving = lastSave.then(() => save(draft));
  lastSave = saving.catch(() => undefined);
  return await saving;
}
