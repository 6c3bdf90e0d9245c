import { lstat } from "node:fs/promises";

/** Whether this is a folder, of this user, that nobody else can touch or look into. @throws Error with the code of the file system */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}
