import { lstat } from "node:fs/promises";

/** Whether a path is a folder of this user with mode 0700. @throws a file system Error with a `code` */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}
