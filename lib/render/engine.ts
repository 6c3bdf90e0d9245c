import { createHash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import sharp from "sharp";
import type { RenderConfig } from "#lib/config.ts";
import { currentFonts } from "#lib/fonts/font-set.ts";
import { codeVersion } from "#lib/templates/folders/code-version.ts";
import { describedBrowser } from "./chromium/browser-description.ts";
import { chromiumFlags } from "./chromium/flags.ts";
import { bundledVersion } from "./chromium/unpack.ts";

/** Whether the version of the browser is known. That of a remote one is not before it has been connected to. */
export function isEngineKnown({ browserWs }: RenderConfig): boolean {
  return !browserWs || describedBrowser()?.product !== undefined;
}

/** Stands for the version of a remote browser until it is known, so that what is kept under it is not found by another process. */
const UNKNOWN = randomUUID();

/** A remote browser may be replaced by another version at the same address, also while this process runs. */
function remoteVersion({ browserWs }: RenderConfig): string | undefined {
  return browserWs && JSON.stringify([browserWs, describedBrowser()?.product ?? UNKNOWN]);
}

async function chromiumVersion(config: RenderConfig): Promise<string> {
  const { chromiumPath } = config;
  const remote = remoteVersion(config);
  if (remote) return remote;
  if (!chromiumPath) return await bundledVersion();
  const { size, mtimeMs } = await stat(chromiumPath);
  return `${chromiumPath}@${size}@${mtimeMs}`;
}

const known = new Map<string, Promise<string>>();

async function describeEngine(config: RenderConfig): Promise<string> {
  const parts = {
    code: codeVersion(),
    chromium: await chromiumVersion(config),
    flags: chromiumFlags({ profileDir: "", sandboxed: true, sharesOnDisk: true }),
    fonts: currentFonts().version,
    encoder: sharp.versions,
    png: config.png,
    architecture: process.arch,
  };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * SHA-256 over everything but template and data that can change a byte of a picture: the code, browser, flags, fonts,
 * encoder and architecture. @throws Error when there is no browser or no font set
 */
export function engineFingerprint(config: RenderConfig): Promise<string> {
  const key = JSON.stringify([codeVersion(), config.chromiumPath, remoteVersion(config), config.png]);
  const fingerprint = known.get(key) ?? describeEngine(config);
  known.set(key, fingerprint);
  fingerprint.catch(() => known.delete(key));
  return fingerprint;
}
