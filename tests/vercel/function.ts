import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { VercelFunction } from "#scripts/build/vercel-functions.ts";
import { FILE_VARIABLE, RUN_VARIABLE } from "#tests/left-processes.ts";
import { spawnGroup } from "#tests/process-group.ts";

const run = promisify(execFile);

/** As root, a function runs as another user, who can write nowhere but into its temporary folder. */
const user = process.getuid?.() === 0 ? { uid: 1001, gid: 1001 } : {};

const LAUNCHER = "___next_launcher.mjs";

/** A function that serves. */
export type RunningFunction = {
  /** The folder of its files. */
  dir: string;
  /** The only folder that it can write to. */
  temp: string;
  /** Everything printed so far. */
  output: () => string;
  /**
   * Sends a request as the platform does, with the path of its route.
   * @param route such as `/api/service/templates/[...slug]`
   */
  ask: (route: string, path?: string, init?: RequestInit) => Promise<Response>;
  stop: () => Promise<void>;
};

function copy(file: string, to: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  // Traces also name folders, and files that a module looks for.
  if (!found || found.isDirectory()) return;
  mkdirSync(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) symlinkSync(readlinkSync(file), to);
  else copyFileSync(file, to, constants.COPYFILE_FICLONE);
}

/** A folder with the files of functions, which is removed after use. */
export class FunctionFolder {
  // Not below the home folder of root, which other users cannot enter.
  readonly #dir = mkdtempSync(join(tmpdir(), "platen-functions-"));
  readonly #running: RunningFunction[] = [];

  /** Copies exactly the files of a function to a folder that cannot be written to. @returns its path */
  async write({ files }: VercelFunction): Promise<string> {
    const dir = mkdtempSync(join(this.#dir, "function-"));
    for (const file of files) copy(file, join(dir, file));
    copy(join(import.meta.dirname, "launcher.mjs"), join(dir, LAUNCHER));
    await run("chmod", ["-R", "a+rX,a-w", dir]);
    await run("chmod", ["755", this.#dir]);
    return dir;
  }

  /** Starts a function with nothing but its files, this Node and an empty temporary folder. */
  async start(dir: string, env: Record<string, string> = {}): Promise<RunningFunction> {
    const temp = mkdtempSync(join(this.#dir, "tmp-"));
    if (user.uid !== undefined) chownSync(temp, user.uid, user.gid);
    const node = join(this.#dir, "node");
    if (!existsSync(node)) copy(process.execPath, node);
    const own = Object.fromEntries([RUN_VARIABLE, FILE_VARIABLE].map((name) => [name, process.env[name] ?? ""]));
    const child = spawnGroup([node, join(dir, LAUNCHER)], {
      ...user,
      cwd: dir,
      env: { ...own, VERCEL: "1", NODE_ENV: "production", HOME: temp, TMPDIR: temp, ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const closed = once(child, "close");
    while (!output.includes("listening on"))
      await Promise.race([
        once(child.stdout, "data"),
        closed.then(() => {
          throw new Error(`The function ended:\n${output}`);
        }),
      ]);
    const origin = /listening on (\S+)/.exec(output)?.[1] ?? "";
    const running: RunningFunction = {
      dir,
      temp,
      output: () => output,
      ask: (route, path = route, { headers, ...init } = {}) =>
        fetch(`${origin}${path}`, { ...init, redirect: "manual", headers: { ...headers, "x-matched-path": route } }),
      stop: async () => {
        child.kill("SIGKILL");
        await closed;
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Whether the user of the functions can write to a path. */
  async isWritable(path: string): Promise<boolean> {
    return await run("test", ["-w", path], user).then(
      () => true,
      () => false,
    );
  }

  async remove(): Promise<void> {
    for (const running of this.#running) await running.stop();
    await run("chmod", ["-R", "u+w", this.#dir]);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
