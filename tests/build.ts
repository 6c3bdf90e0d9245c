import { renderConfig } from "#lib/config.ts";
import { prepareChromium } from "#lib/render/chromium.ts";
import { buildOnce } from "#scripts/build.ts";
import { sourceStamp } from "#scripts/build-stamp.ts";

/** What every test stands on, made once: the built tree, and the browser. */
export default async function setup(): Promise<void> {
  await buildOnce(sourceStamp());
  await prepareChromium({ dataDir: renderConfig().dataDir, onProgress: (message) => console.log(message) });
}
