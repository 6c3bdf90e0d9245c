import { renderConfig } from "#lib/config.ts";
import { prepareChromium } from "#lib/render/chromium.ts";
import { buildOnce } from "#scripts/build.ts";
import { sourceStamp } from "#scripts/build-stamp.ts";
import { provideDatabase } from "#tests/database-server.ts";

/** What every test stands on, made once: the built tree, the browser, and a database. @returns how to take it down */
export default async function setup(): Promise<() => Promise<void>> {
  await buildOnce(sourceStamp());
  await prepareChromium({ dataDir: renderConfig().dataDir, onProgress: (message) => console.log(message) });
  return await provideDatabase();
}
