import { spawn } from "node:child_process";
import { join } from "node:path";
import { PROJECT_DIR, renderConfig, serverConfig } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { compileFolders, servedFolders } from "#lib/templates/folders/served-folders.ts";
import { startDatabase } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { asFollower, onParentEnd } from "./parent-end.ts";

/** Tells routes where a connection comes from. */
const PEER_MODULE = new URL("dev/peer.ts", import.meta.url).href;

/** The environment for Next, which reads the `.env` files itself and again whenever they change. */
const givenEnvironment = { ...process.env };
loadEnvironment("development");
for (const { variable, message } of Object.values(configReport()).flat()) console.error(`${variable}: ${message}`);

console.log("Copying the fonts …");
buildFonts();

// The database runs in this process, because Next restarts its own when its configuration changes.
const database = await startDatabase().catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
});
const { port, host } = serverConfig();
const args = ["dev", "--port", String(port), ...(host ? ["--hostname", host] : [])];
const follower = asFollower([join(PROJECT_DIR, "node_modules/next/dist/bin/next"), ...args], {
  ...givenEnvironment,
  NODE_ENV: "development",
  NEXT_TELEMETRY_DISABLED: "1",
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${PEER_MODULE}`.trim(),
});
const child = spawn(process.execPath, follower.args, { cwd: PROJECT_DIR, stdio: "inherit", env: follower.env });
async function compileServed(): Promise<void> {
  await compileFolders(servedFolders());
}

/**
 * Does what the first picture needs while Next compiles, whose server then finds it done: the browser unpacked, and the templates
 * checked. What fails here is tried again there, and reported.
 */
async function prepareFirstPicture(): Promise<void> {
  const { dataDir } = renderConfig();
  await Promise.allSettled([prepareChromium({ dataDir }), prepareFontconfig(dataDir), compileServed()]);
}

void prepareFirstPicture().catch(() => undefined);
// Ctrl-C reaches the whole process group. A SIGTERM to this process alone must end Next too.
process.on("SIGTERM", () => child.kill("SIGTERM"));
process.on("SIGINT", () => {});
onParentEnd(() => process.kill(process.pid, "SIGTERM"));
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  void database.stop();
});
