import { constants, existsSync, globSync, readFileSync } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";
import { bundledFolder, bundledVersion, unpackInto } from "#lib/render/chromium/unpack.ts";
import { highlightFiles } from "#lib/templates/drawings/grammar-files.ts";
import { listFiles } from "./build-files.ts";
import { SEAL_FILE } from "./build-stamp.ts";
import { tracedFiles } from "./traced-files.ts";

/** The commands of package.json that the folder has too. */
const COMMANDS = ["start", "users", "migrate", "database", "render", "link", "templates"];

/** Files of threads and of a process, which no import leads to. */
const THREADS = [
  "lib/db/embedded/thread.ts",
  "lib/images/decoder/program.ts",
  "lib/templates/drawings/highlight-thread.ts",
];

/** What is read at run time and not imported. A start needs neither the other files of `.next` nor a configuration of Next. */
const CONTENTS = [
  ".next/{BUILD_ID,package.json,*-manifest.json,required-server-files.json}",
  ".next/{node_modules,server,static}/**",
  ".platen/{build.stamp,*.json}",
  ".platen/fonts/**",
  "docs/schemas/**",
  "drizzle/**",
  "public/**",
  "scripts/templates/starter/**",
  "templates/**",
  "THIRD_PARTY_NOTICES",
  "node_modules/node-linux-*/{LICENSE,package.json,bin/node}",
];

/** The folder has Chromium and the fonts unpacked, and traces serve only a build. */
const UNWANTED = /^node_modules\/@sparticuz\/chromium\/bin\/|^\.platen\/fonts\/.*\.zst$|^tests\/|\.nft\.json$|\.map$/;

function matches(patterns: string[]): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: PROJECT_DIR }));
}

/** Copies a file or a link. Folders come with their files. Where the disk can share blocks, a copy takes no room. */
async function copyInto(staging: string, file: string): Promise<void> {
  const [from, to] = [join(PROJECT_DIR, file), join(staging, file)];
  const found = await lstat(from);
  if (found.isDirectory()) return;
  await mkdir(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) await symlink(await readlink(from), to);
  else await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** package.json with the commands that work in the folder, and nothing to install. */
function standalonePackage() {
  const text = readFileSync(join(PROJECT_DIR, "package.json"), "utf8");
  const { dependencies: _, devDependencies: __, optionalDependencies: ___, scripts, ...kept } = JSON.parse(text);
  return { ...kept, scripts: Object.fromEntries(COMMANDS.map((command) => [command, scripts[command] as string])) };
}

/** The files that commands name, such as `scripts/launch.mjs` and `scripts/start.ts`. */
function entriesOf(commands: string[]): string[] {
  return commands.flatMap((command) => command.match(/scripts\/[\w/-]+\.(?:ts|mjs)/g) ?? []);
}

/** Unpacks the bundled Chromium, readable for every user, because the folder may belong to another one than the server's. */
async function addChromium(staging: string): Promise<void> {
  const target = join(staging, ".platen", bundledFolder(await bundledVersion()));
  await unpackInto(target);
  await chmod(target, 0o755);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** @throws Error when `target` holds something else than an earlier standalone folder, which would be deleted */
export async function refuseOther(target: string): Promise<void> {
  if (!existsSync(target) || existsSync(join(target, ".platen", SEAL_FILE))) return;
  if ((await readdir(target)).length > 0)
    throw new Error(
      `Got ${target}, which holds other files. Want a new or empty folder, or an earlier standalone one.`,
    );
}

/**
 * Writes a folder that serves a built tree without `npm ci`, build or writable files: the server, commands, traced packages,
 * templates, fonts, Node and Chromium.
 * @param stamp of the sources that were built
 */
export async function writeStandalone(target: string, stamp: string): Promise<void> {
  const staging = `${target}.partial`;
  await rm(staging, { recursive: true, force: true });
  const contents = standalonePackage();
  const traced = await tracedFiles(PROJECT_DIR, [...new Set(entriesOf(Object.values(contents.scripts))), ...THREADS]);
  const files = new Set([...traced, ...matches([...CONTENTS, ...highlightFiles()])]);
  for (const file of files) if (!UNWANTED.test(file)) await copyInto(staging, file);
  if (process.arch === "x64") await addChromium(staging);
  await writeFile(join(staging, "package.json"), `${JSON.stringify(contents, null, 2)}\n`);
  await writeFile(join(staging, ".platen", SEAL_FILE), stamp);
  listFiles(staging);
  await rm(target, { recursive: true, force: true });
  await rename(staging, target);
}
