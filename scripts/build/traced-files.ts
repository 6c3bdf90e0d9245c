import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

type Tracer = {
  nodeFileTrace(
    files: string[],
    options: {
      base: string;
      ignore: (path: string) => boolean;
      readFile: (path: string) => Promise<Buffer | string | null>;
    },
  ): Promise<{ fileList: Set<string> }>;
};

/** What Next and React import only in development or for a build. It would triple their size. */
const UNUSED = [
  /^node_modules\/(?:@next\/swc|typescript\/|caniuse-lite\/|(?:react|react-dom)\/.*\.development\.js$)/,
  /^node_modules\/next\/dist\/(?:docs|esm|server\/dev|lib\/upgrade)\//,
  /^node_modules\/next\/dist\/compiled\/(?:webpack|babel|next-devtools|@next\/font|@mswjs|postcss|cssnano)/,
  /^node_modules\/next\/dist\/compiled\/(?:.*\.dev\.js$|next-server\/.*-experimental|.*-loader\/|.*-browserify\/)/,
  /\.map$/,
];

/** The files of one trace that Next wrote, relative to `dir`. */
export function filesOf(dir: string, trace: string): string[] {
  const path = join(dir, trace);
  const { files } = JSON.parse(readFileSync(path, "utf8")) as { files: string[] };
  return files.map((file) => relative(dir, resolve(dirname(path), file)));
}

async function readSource(path: string): Promise<Buffer | string | null> {
  try {
    const source = await readFile(path);
    const isOurs = path.endsWith(".ts") && !path.includes("/node_modules/");
    return isOurs ? stripTypeScriptTypes(source.toString()) : source;
  } catch (error) {
    // The tracer also asks for what does not exist, and for folders.
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/**
 * Every file that a built tree runs: what Next traced for its server and for each route, and what `entries` import. Takes 20 s.
 * @param dir the root of the tree, with `.next`
 * @param entries scripts and files of threads, relative to `dir`
 * @returns paths relative to `dir`
 */
export async function tracedFiles(dir: string, entries: string[]): Promise<Set<string>> {
  const traces = [".next/next-server.js.nft.json", ...globSync(".next/server/**/*.nft.json", { cwd: dir })];
  // The tracer of Next itself, so that routes and scripts follow the same rules.
  const { nodeFileTrace } = createRequire(join(dir, "package.json"))("next/dist/compiled/@vercel/nft") as Tracer;
  const scripts = entries.map((entry) => join(dir, entry));
  const ignore = (path: string) => UNUSED.some((pattern) => pattern.test(path));
  const { fileList } = await nodeFileTrace(scripts, { base: dir, ignore, readFile: readSource });
  return new Set([...fileList, ...traces.flatMap((trace) => filesOf(dir, trace))]);
}
