import { readlinkSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

const ADVICE: Record<string, string> = {
  EACCES: "This user may not do that. Give it that file or folder, or run as the user who owns it.",
  EPERM: "This user may not do that. Give it that file or folder, or run as the user who owns it.",
  EROFS:
    "The file system is read-only. Set SERVICE_DATA_DIR to a folder that can be written, and build where it can be written.",
  ENOSPC: "The disk is full. Make room.",
  EDQUOT: "The disk quota is used up. Make room.",
  EMFILE:
    "This process may not open more files. Raise its limit to 1024 at least: ulimit -n, or LimitNOFILE of systemd.",
  ENFILE: "The machine has too many open files. Raise fs.file-max, or see which program opens them.",
  EAGAIN:
    "This user may not start more processes and threads. Raise the limit to 512 at least: ulimit -u, TasksMax of systemd, or pids.max.",
  ENOMEM: "No memory is left. Give the machine or the container more, and set no limit of address space (ulimit -v).",
  ENOTDIR: "A file stands where a folder belongs. Move it.",
};

/** Advice for codes that mean something else when a folder is made, by system call and code. */
const FOLDER_ADVICE: Record<string, string | undefined> = {
  "mkdir EEXIST": ADVICE.ENOTDIR,
  "mkdtemp ENOENT": "The temporary folder does not exist. Make it, or set TMPDIR to another one.",
};

/** False also where a folder above it is closed to this user, who then cannot know. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/**
 * Advice for a folder that cannot be made because a link in its path leads nowhere, for example to a disk that is not mounted. Node
 * says ENOENT, EEXIST or ENOTDIR, by how the folder was to be made.
 */
function brokenLinkAdvice(path: string): string | undefined {
  if (!isMissing(path)) return undefined;
  const parent = dirname(path);
  const above = parent === path ? undefined : brokenLinkAdvice(parent);
  if (above) return above;
  try {
    return `${path} is a link to ${readlinkSync(path)}, which is not there. Make or mount what it leads to.`;
  } catch {
    return undefined;
  }
}

/** The name of this user, or its number where it has no name, as in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/**
 * What a file system refused, where, for whom, and what to do, for the log: it names a path. Undefined for an error that no
 * file system caused.
 */
export function explainFileFault(error: unknown): string | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code = "", path, syscall } = fault as NodeJS.ErrnoException;
    const linkAdvice = path && syscall === "mkdir" ? brokenLinkAdvice(path) : undefined;
    const advice = linkAdvice ?? FOLDER_ADVICE[`${syscall} ${code}`] ?? ADVICE[code];
    // For a program, Node's `syscall` is "spawn" with its path.
    if (advice && path) return `${code}: user ${userName()} cannot ${syscall?.split(" ")[0]} ${path}. ${advice}`;
  }
  return undefined;
}
