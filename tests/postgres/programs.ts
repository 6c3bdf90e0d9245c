import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "#tests/free-port.ts";
import { spawnGroup } from "#tests/process-group.ts";

const run = promisify(execFile);

/** A server of Platen unpacks Chromium first. */
const READY_TIMEOUT_MS = 120_000;

/** Debian installs the programs of each PostgreSQL version in a folder of its own. */
const DEBIAN_POSTGRES = "/usr/lib/postgresql";

type Identity = { uid: number; gid: number } | Record<string, never>;

/** PostgreSQL and PgBouncer refuse to run as root. */
function serviceUser(): Identity {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A temporary folder that PostgreSQL may write to. */
export function privateFolder(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `platen-${name}-`));
  const { uid, gid } = serviceUser();
  if (uid !== undefined && gid !== undefined) chownSync(dir, uid, gid);
  return dir;
}

/** The path of a program of the newest PostgreSQL of this machine. */
export function postgresProgram(name: string): string {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES).toSorted() : [];
  const newest = versions.at(-1);
  return newest ? join(DEBIAN_POSTGRES, newest, "bin", name) : name;
}

export type Program = {
  child: ChildProcess;
  /** Sends a signal and waits until the program has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

type ProgramOptions = {
  command: string;
  args: string[];
  isReady: () => Promise<unknown>;
  asRoot?: boolean;
  env?: NodeJS.ProcessEnv;
};

/** Starts a program, which ends with this process, and waits until it is ready. @throws Error with its output when it does not get ready */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { command, args, isReady, asRoot = false, env = process.env } = options;
  const child = spawnGroup([command, ...args], { ...(asRoot ? {} : serviceUser()), env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${command} was not ready in time. Its output:\n${output}`);
    }
    await sleep(50);
  }
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return { child, stop };
}

export type Postgres = {
  port: number;
  /** The URL of one of its databases. */
  urlOf(database: string): string;
  createDatabase(name: string): Promise<string>;
  /** A fast shutdown. The data stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops and continues all of its processes, like a machine that hangs. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").filter(Boolean).map(Number);
}

/** The name and password of the only role. Without a password, everyone on this machine may connect. */
type Role = { user?: string; password?: string };

/** Makes the folder of a cluster. */
async function createCluster({ dir, user, password }: { dir: string; user: string; password: string | undefined }) {
  const passwordFile = join(dir, "password");
  if (password !== undefined) writeFileSync(passwordFile, password, { mode: 0o644 });
  const access = password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  // A cluster takes its locale from the environment otherwise, and in the locale C only ASCII letters have a lower case.
  const options = ["-D", join(dir, "data"), "-U", user, "-E", "UTF8", "--locale=C.UTF-8", "-N", ...access];
  await run(postgresProgram("initdb"), options, serviceUser());
}

/** Starts an empty PostgreSQL on a free port, with the programs that this machine has installed. */
export async function startPostgres({ user = "postgres", password }: Role = {}): Promise<Postgres> {
  const dir = privateFolder("postgres");
  const data = join(dir, "data");
  const port = await freePort();
  await createCluster({ dir, user, password });
  const options = [
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    `unix_socket_directories=${dir}`,
    "-c",
    "max_connections=60",
    // The tests kill services and never the machine, so that nothing has to reach the disk.
    "-c",
    "fsync=off",
  ];
  const login = ["-h", "127.0.0.1", "-p", String(port), "-U", user, "-d", "postgres"];
  const env = { ...process.env, PGPASSWORD: password };
  const psql = (statement: string) => run(postgresProgram("psql"), [...login, "-qAtc", statement], { env });
  let program: Program | undefined;
  const start = async () => {
    const args = ["-D", data, "-p", String(port), ...options];
    program = await startProgram({ command: postgresProgram("postgres"), args, isReady: () => psql("select 1") });
  };
  const stop = async () => program?.stop("SIGINT");
  const signalAll = async (signal: NodeJS.Signals) => {
    const pid = program?.child.pid as number;
    for (const each of [pid, ...(await childrenOf(pid))]) process.kill(each, signal);
  };
  await start();
  const authority = password === undefined ? user : `${user}:${password}`;
  const urlOf = (database: string) => `postgres://${authority}@127.0.0.1:${port}/${database}`;
  return {
    port,
    urlOf,
    createDatabase: async (name) => {
      await psql(`create database "${name}"`);
      return urlOf(name);
    },
    start,
    stop,
    pause: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    remove: async () => {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
