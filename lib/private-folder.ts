import { lstat } from "node:fs/promises";

/** Whether a path is a folder of this user with mode 0700. Windows has no modes: a user's folder is private there. @throws a file system Error with a `code` */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (process.getuid === undefined) return found.isDirectory();
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o777) === 0o700;
}
