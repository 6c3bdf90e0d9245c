import { rename, rm, writeFile } from "node:fs/promises";

/** Node does not say which file it was when the disk is full. */
function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

/** Writes a picture to a file, a device or a link. @throws the error of the file system, which names the file */
export async function writePicture(file: string, png: Buffer): Promise<void> {
  await writeFile(file, png).catch((error: unknown) => {
    throw withPath(error, file);
  });
}

/** As {@link writePicture}, but the file has its name only once it is complete. */
export async function replacePicture(file: string, png: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writePicture(unfinished, png);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
