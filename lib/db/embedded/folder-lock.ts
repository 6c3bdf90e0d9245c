import { randomBytes } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ConfigError } from "#lib/environment/config-error.ts";
import { bootId, ownerState, ownerTag } from "#lib/processes.ts";
import { CLAIM_PAUSE_MS, CLAIM_TIMEOUT_MS, SILENT_MS, WATCH_INTERVAL_MS } from "./embedded-limits.ts";
import { closeClaim, openClaim } from "./open-claims.ts";

/*
 * Two servers on one folder would destroy its data. Each server first writes a claim file of its own and then looks for others.
 * Of two servers that do so at the same moment, at least one sees the other and gives way. A live server's claim is never
 * removed or renamed by another process. Claims of dead processes are removed.
 */

const CLAIM_NAME = /^server\.\S+\.json$/;

const claimRecord = z.object({
  owner: z.string(),
  pid: z.int().positive(),
  /** Identifies the boot of the machine: process ids and namespaces repeat after a reboot and on other machines. */
  boot: z.string(),
  /** The path of the database socket. The file exists while the database accepts connections. */
  socket: z.string(),
});

type Claim = z.infer<typeof claimRecord> & { file: string };

/** The claim of this process on a folder. The id tells its file from a copy. */
export type FolderLock = { file: string; socket: string; id: string };

/**
 * The socket of a claim without its content, which a power failure has taken, or which only another user may read: a command of root.
 * Only its heartbeat says whether its owner lives.
 */
const LOST = "";

function parseClaim(text: string, file: string): Claim {
  try {
    return { ...claimRecord.parse(JSON.parse(text)), file };
  } catch {
    const [, pid] = /^server\.\d+-(\d+)-/.exec(basename(file)) ?? [];
    return { owner: "", pid: Number(pid ?? 0), boot: "", socket: LOST, file };
  }
}

/** @throws Error when the file exists and cannot be opened */
function readClaim(file: string): Claim | undefined {
  try {
    return parseClaim(readFileSync(/* turbopackIgnore: true */ file, "utf8"), file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "EACCES") return parseClaim("", file);
    throw error;
  }
}

function claimsIn(dir: string): Claim[] {
  let names: string[];
  try {
    names = readdirSync(/* turbopackIgnore: true */ dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const files = names.filter((name) => CLAIM_NAME.test(name));
  return files.flatMap((name) => readClaim(join(/* turbopackIgnore: true */ dir, name)) ?? []);
}

/** The name of the private folder of a socket that cannot be in the data folder. */
export const SOCKET_FOLDER_PREFIX = "platen-database-";

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((dir) => statSync(/* turbopackIgnore: true */ dir, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/** Whether a claim came here with a copy of the folder that its owner serves. Its socket leads to the data of the other folder. */
function isCopied({ socket, file }: Claim): boolean {
  const folder = dirname(socket);
  return socket !== LOST && !basename(folder).startsWith(SOCKET_FOLDER_PREFIX) && !isSameFolder(folder, dirname(file));
}

/** A copied claim is not trusted. Only its heartbeat tells, which a copy does not have. */
function stateOf(claim: Claim): "alive" | "dead" | "unknown" {
  const state = claim.boot === bootId() ? ownerState(claim.owner) : "unknown";
  return state === "alive" && isCopied(claim) ? "unknown" : state;
}

function lastHeartbeat(file: string): number | undefined {
  return statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Watches the heartbeat of a process in another container, and sends this process's own heartbeat meanwhile. Only
 * modification times are compared with each other, because the clocks of two machines differ.
 */
async function isSilent({ file }: Claim, own: string, signal?: AbortSignal): Promise<boolean> {
  const before = lastHeartbeat(file);
  for (let waited = 0; waited < SILENT_MS; waited += WATCH_INTERVAL_MS) {
    await sleep(WATCH_INTERVAL_MS, undefined, { signal });
    if (existsSync(own)) sendHeartbeat({ file: own });
    if (lastHeartbeat(file) !== before) return lastHeartbeat(file) === undefined;
  }
  return true;
}

function removeClaim(claim: Claim): void {
  const { socket, file } = claim;
  if (socket !== LOST && !isCopied(claim)) {
    rmSync(socket, { force: true });
    removeOwnFolder(socket);
  }
  rmSync(file, { force: true });
}

function removeOwnFolder(socket: string): void {
  const folder = dirname(socket);
  if (basename(folder).startsWith(SOCKET_FOLDER_PREFIX)) rmSync(folder, { recursive: true, force: true });
}

/** Another server that is or may be alive. Removes the claims of dead ones. */
async function findOtherOwner(own: string, { dir, onWait, signal }: ClaimOptions): Promise<Claim | undefined> {
  for (const claim of claimsIn(dir).filter(({ file }) => file !== own)) {
    const state = stateOf(claim);
    if (state === "unknown") onWait(claim.pid);
    if (state === "alive" || (state === "unknown" && !(await isSilent(claim, own, signal)))) return claim;
    removeClaim(claim);
  }
  return undefined;
}

/** Writes a claim atomically, so that no reader finds half of it. */
function writeClaim(file: string, record: z.infer<typeof claimRecord>): void {
  const staging = `${file}.new`;
  writeFileSync(staging, JSON.stringify(record), { mode: 0o600 });
  renameSync(staging, file);
}

/** Another server owns the folder. */
export class FolderInUse extends ConfigError {
  /** The process that serves the folder. */
  readonly pid: number;

  constructor(dir: string, pid: number) {
    const message = `the embedded database in ${dir} is in use by process ${pid}, and only one process can serve it. Stop that process, set another SERVICE_DATA_DIR, or set DATABASE_URL to a PostgreSQL that several servers can share`;
    super([{ variable: "SERVICE_DATA_DIR", message }]);
    this.pid = pid;
  }

  /** Without it, every ConfigError would be an instance. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ConfigError && "pid" in value;
  }
}

type ClaimOptions = {
  dir: string;
  socket: string;
  /** Called with the process id of a server in another container, which is then watched for some seconds. */
  onWait: (pid: number) => void;
  /** How long to wait for a folder that is in use, in milliseconds. */
  waitMs?: number | undefined;
  signal?: AbortSignal;
};

/**
 * Claims the folder for this process.
 * @throws FolderInUse when another process keeps it; the error of the file system; the signal's reason
 */
export async function claimFolder(options: ClaimOptions): Promise<FolderLock> {
  try {
    return await claim(options);
  } catch (error) {
    removeOwnFolder(options.socket);
    throw error;
  }
}

async function claim(options: ClaimOptions): Promise<FolderLock> {
  const { dir, socket, waitMs = CLAIM_TIMEOUT_MS, signal } = options;
  const file = join(dir, `server.${ownerTag()}.${randomBytes(6).toString("hex")}.json`);
  const deadline = performance.now() + waitMs;
  for (;;) {
    let other = await findOtherOwner(file, options);
    if (!other) {
      writeClaim(file, { owner: ownerTag(), pid: process.pid, boot: bootId(), socket });
      const found = findOtherOwner(file, options);
      other = await found.finally(() => signal?.aborted && rmSync(file, { force: true }));
      // The file is gone when this process was paused for so long that another one considered it dead.
      if (!other && sendHeartbeat({ file })) return { file, socket, id: openClaim(file) };
      rmSync(file, { force: true });
    }
    if (other && performance.now() > deadline) throw new FolderInUse(dir, other.pid);
    await sleep(Math.random() * CLAIM_PAUSE_MS, undefined, { signal });
  }
}

/** Shows other servers that this process is alive. @returns false when the claim is gone, because another server took over */
export function sendHeartbeat({ file }: Pick<FolderLock, "file">): boolean {
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Removes the claim, so that another server can have the folder. */
export function releaseFolder({ file, socket }: FolderLock): void {
  closeClaim(file);
  rmSync(socket, { force: true });
  removeOwnFolder(socket);
  rmSync(file, { force: true });
}

/** Whether a process on this machine serves the folder. */
export function isServed(dir: string): boolean {
  return claimsIn(dir).some((claim) => stateOf(claim) === "alive" && existsSync(claim.socket));
}

/**
 * The socket of a folder's embedded database. It may not accept connections yet, or no longer.
 *
 * @throws ConfigError when no server has claimed the folder
 */
export function findEmbedded(dir: string): string {
  const sockets = claimsIn(dir)
    .filter((claim) => claim.socket !== LOST && stateOf(claim) !== "dead")
    .map(({ socket }) => socket);
  // A second claim may belong to a server that is about to be refused.
  const socket = sockets.find((path) => existsSync(/* turbopackIgnore: true */ path)) ?? sockets[0];
  if (socket !== undefined) return socket;
  const message =
    "not set, and no embedded database is served here: only `npm start` and `npm run dev` start one. Set it to a PostgreSQL";
  throw new ConfigError([{ variable: "DATABASE_URL", message }]);
}
