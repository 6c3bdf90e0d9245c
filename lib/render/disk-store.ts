import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { explainFileFault } from "#lib/file-faults.ts";
import { log } from "#lib/log.ts";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { requireRoom } from "./chromium/disk-space.ts";
import { DISPLAY_DISK_KEPT_SHARE, FREE_DISK_BYTES } from "./render-limits.ts";

const DIGEST_BYTES = 32;

const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest();

type Entry = { path: string; bytes: number; usedAt: number };

/**
 * Pictures in files of a folder, by a key that is a valid file name. A file begins with the SHA-256 of the picture, so that
 * damaged files are noticed. Failures are logged and never thrown: every picture can be made again.
 */
export class DiskStore {
  readonly #dir: string;
  readonly #limitBytes: number;
  /** Unknown until the folder was counted. Other processes may write to it too. */
  #bytes: number | undefined;
  #cleaning: Promise<void> | undefined;
  /** Consecutive failures are logged once. */
  #isFailing = false;

  constructor({ dir, limitBytes }: { dir: string; limitBytes: number }) {
    this.#dir = dir;
    this.#limitBytes = limitBytes;
  }

  /** Size of the files in bytes; undefined before the first write. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  /** The picture; undefined when there is none or it is damaged. A damaged file is removed. */
  async read(key: string): Promise<Buffer | undefined> {
    const path = this.#pathOf(key);
    const file = await readFile(path).catch(() => undefined);
    if (!file) return undefined;
    const picture = file.subarray(DIGEST_BYTES);
    if (picture.length === 0 || !file.subarray(0, DIGEST_BYTES).equals(digestOf(picture))) {
      log().warn("A cached picture is damaged and will be rendered again.");
      await rm(path, { force: true }).catch(() => undefined);
      return undefined;
    }
    const now = new Date();
    // The clean-up removes the least recently used files first.
    await utimes(path, now, now).catch(() => undefined);
    return picture;
  }

  async write(key: string, picture: Buffer): Promise<void> {
    const path = this.#pathOf(key);
    const staging = `${path}.${randomUUID()}`;
    try {
      await makePrivateFolder(this.#dir);
      requireRoom(this.#dir, FREE_DISK_BYTES);
      await writeFile(staging, [digestOf(picture), picture], { mode: 0o600 });
      await rename(staging, path);
      await this.#note(picture.length);
      this.#isFailing = false;
    } catch (error) {
      await rm(staging, { force: true }).catch(() => undefined);
      const reason = explainFileFault(error);
      if (!this.#isFailing)
        log().warn(reason === undefined ? { err: error } : { reason }, "Pictures for pages cannot be kept on disk.");
      this.#isFailing = true;
    }
  }

  #pathOf(key: string): string {
    return join(/* turbopackIgnore: true */ this.#dir, key);
  }

  async #note(bytes: number): Promise<void> {
    if (this.#bytes !== undefined) this.#bytes += bytes;
    if (this.#bytes !== undefined && this.#bytes <= this.#limitBytes) return;
    this.#cleaning ??= this.#clean().finally(() => {
      this.#cleaning = undefined;
    });
    await this.#cleaning;
  }

  async #entries(): Promise<Entry[]> {
    const names = await readdir(this.#dir);
    const entries = names.map(async (name): Promise<Entry[]> => {
      const path = this.#pathOf(name);
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() ? [{ path, bytes: found.size, usedAt: found.mtimeMs }] : [];
    });
    return (await Promise.all(entries)).flat();
  }

  /** Counts the files, half-written ones of dead servers included. Above the limit, removes those not used for the longest. */
  async #clean(): Promise<void> {
    const entries = await this.#entries();
    let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const target = bytes > this.#limitBytes ? this.#limitBytes * DISPLAY_DISK_KEPT_SHARE : this.#limitBytes;
    for (const entry of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= target) break;
      await rm(entry.path, { force: true });
      bytes -= entry.bytes;
    }
    this.#bytes = bytes;
  }
}
