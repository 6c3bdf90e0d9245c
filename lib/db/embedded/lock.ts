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
import { CLAIM_PATIENCE_MS, CLAIM_PAUSE_MS, SILENT_MS, WATCH_INTERVAL_MS } from "./embedded-limits.ts";

/*
 * Two servers on one folder would destroy it. Each claims it with a file of its own, and only then looks whose files there are
 * beside: of two that do so at the same moment, at least one sees the other, and makes way. Nobody's claim is ever taken
 * away or renamed, so nobody can take the wrong one away; those of the dead are ignored and removed.
 */

const CLAIM_NAME = /^server\.\S+\.json$/;

const claimRecord = z.object({
  owner: z.string(),
  pid: z.int().positive(),
  /** The run of the machine, because process numbers and namespaces repeat in the next one and on other machines. */
  boot: z.string(),
  /** Where the database is spoken to; its file is there while it can be. */
  socket: z.string(),
});

type Claim = z.infer<typeof claimRecord> & { file: string };

/** A folder that is this process's own. */
export type Lock = { file: string; socket: string };

/** @throws Error when it exists and cannot be read */
function readClaim(file: string): Claim | undefined {
  try {
    return { ...claimRecord.parse(JSON.parse(readFileSync(/* turbopackIgnore: true */ file, "utf8"))), file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
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

function stateOf({ owner, boot }: Claim): "alive" | "dead" | "unknown" {
  return boot === bootId() ? ownerState(owner) : "unknown";
}

function lastBeat(file: string): number | undefined {
  return statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Watches a claim whose process cannot be seen from here, and shows meanwhile that the own one lives. Only changes count: the
 * clocks of two machines differ.
 */
async function isSilent({ file }: Claim, own: string): Promise<boolean> {
  const before = lastBeat(file);
  for (let waited = 0; waited < SILENT_MS; waited += WATCH_INTERVAL_MS) {
    await sleep(WATCH_INTERVAL_MS);
    if (existsSync(own)) beat({ file: own });
    if (lastBeat(file) !== before) return lastBeat(file) === undefined;
  }
  return true;
}

function bury(claim: Claim): void {
  rmSync(claim.socket, { force: true });
  removeOwnFolder(claim.socket);
  rmSync(claim.file, { force: true });
}

/** The private folder of a socket whose data folder has too long a name. */
export const SOCKET_FOLDER_PREFIX = "platen-database-";

function removeOwnFolder(socket: string): void {
  const folder = dirname(socket);
  if (basename(folder).startsWith(SOCKET_FOLDER_PREFIX)) rmSync(folder, { recursive: true, force: true });
}

/** Another one that lives or may live, after the dead have been removed. */
async function findRival(dir: string, own: string, onWait: (pid: number) => void): Promise<Claim | undefined> {
  for (const claim of claimsIn(dir).filter(({ file }) => file !== own)) {
    const state = stateOf(claim);
    if (state === "unknown") onWait(claim.pid);
    if (state === "alive" || (state === "unknown" && !(await isSilent(claim, own)))) return claim;
    bury(claim);
  }
  return undefined;
}

/** Whole from its first moment on: a reader never finds half of it. */
function place(file: string, record: z.infer<typeof claimRecord>): void {
  const staging = `${file}.new`;
  writeFileSync(staging, JSON.stringify(record), { mode: 0o600 });
  renameSync(staging, file);
}

/** Another server has the folder. */
export class FolderInUse extends ConfigError {
  constructor(dir: string, pid: number) {
    const message = `the embedded database in ${dir} is in use by process ${pid}, and can be served by one at a time. Stop that one, give this one a SERVICE_DATA_DIR of its own, or set DATABASE_URL to a PostgreSQL for several servers`;
    super([{ variable: "SERVICE_DATA_DIR", message }]);
  }
}

type ClaimOptions = {
  dir: string;
  socket: string;
  /** Told of a server in another container, which is watched for some seconds. */
  onWait: (pid: number) => void;
};

/** Makes the folder this process's own. @throws FolderInUse when another one has it and keeps it */
export async function claimFolder({ dir, socket, onWait }: ClaimOptions): Promise<Lock> {
  const file = join(dir, `server.${ownerTag()}.${randomBytes(6).toString("hex")}.json`);
  const deadline = performance.now() + CLAIM_PATIENCE_MS;
  for (;;) {
    let rival = await findRival(dir, file, onWait);
    if (!rival) {
      place(file, { owner: ownerTag(), pid: process.pid, boot: bootId(), socket });
      rival = await findRival(dir, file, onWait);
      // It is gone when this process was paused and taken for dead meanwhile.
      if (!rival && beat({ file })) return { file, socket };
      rmSync(file, { force: true });
    }
    if (rival && performance.now() > deadline) throw new FolderInUse(dir, rival.pid);
    await sleep(Math.random() * CLAIM_PAUSE_MS);
  }
}

/** Shows that this process lives. @returns false when the folder is not its own any more */
export function beat({ file }: Pick<Lock, "file">): boolean {
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Lets others have the folder. */
export function releaseFolder({ file, socket }: Lock): void {
  rmSync(socket, { force: true });
  removeOwnFolder(socket);
  rmSync(file, { force: true });
}

/** Whether a process that can be seen from here serves this folder. */
export function isServed(dir: string): boolean {
  return claimsIn(dir).some((claim) => stateOf(claim) === "alive" && existsSync(claim.socket));
}

/**
 * Where the embedded database of a folder is spoken to. Nobody may be listening there yet, or any more.
 *
 * @throws ConfigError when nobody serves the folder
 */
export function findEmbedded(dir: string): string {
  const sockets = claimsIn(dir)
    .filter((claim) => stateOf(claim) !== "dead")
    .map(({ socket }) => socket);
  // Beside the one that serves there may be one that is about to be refused.
  const socket = sockets.find((path) => existsSync(/* turbopackIgnore: true */ path)) ?? sockets[0];
  if (socket !== undefined) return socket;
  const message =
    "not set, and no embedded database is served here: only `npm start` and `npm run dev` bring one. Set it to a PostgreSQL";
  throw new ConfigError([{ variable: "DATABASE_URL", message }]);
}
