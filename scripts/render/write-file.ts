import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file, a device or a link. @throws the error of the file system, which names the file */
export async function writeNamed(file: string, content: string | Buffer): Promise<void> {
  await writeFile(file, content).catch((error: unknown) => {
    // Node does not say which file it was when the disk is full.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  });
}

/** Writes a file that has its name only once it is complete. @throws as {@link writeNamed} */
export async function replaceFile(file: string, content: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writeNamed(unfinished, content);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}
