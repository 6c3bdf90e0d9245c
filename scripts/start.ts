import { existsSync } from "node:fs";
import { join } from "node:path";
import { accessEnabled, foundBrowser, PROJECT_DIR, renderConfig, serverConfig } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { ConfigError, type ConfigFault } from "#lib/environment/config-error.ts";
import { log } from "#lib/log.ts";
import { damagedFiles } from "./build/build-files.ts";
import { hasEnded, isStandalone, sourceStamp } from "./build/build-stamp.ts";
import { startDatabase } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { onParentEnd } from "./parent-end.ts";
import { keepCompiledCode } from "./start/compiled-code.ts";
import { logConsole } from "./start/console-log.ts";
import { tightLimits } from "./start/process-limits.ts";
import { explainStartFault } from "./start/start-faults.ts";

/** Logs why the service does not start, whatever the level, and ends. */
function fail(message: string, details: object = {}): never {
  const last = log();
  if (last.level === "silent") last.level = "fatal";
  last.fatal(details, message);
  // The listener, browsers and Next would keep the process alive, with every request waiting.
  process.exit(1);
}

function named(faults: ConfigFault[]): string[] {
  return faults.map(({ variable, message }) => `${variable}: ${message}`);
}

/** Elsewhere, the files of that folder would count as sources that are not built yet. */
function requireOwnFolder(): void {
  if (existsSync(join(PROJECT_DIR, "scripts", "start.ts"))) return;
  const own = join(import.meta.dirname, "..");
  fail(`Started in ${PROJECT_DIR}, which is not the folder of Platen. Use "npm --prefix ${own} start".`);
}

/** A port that is given as an argument would be ignored, and taken for set. */
function refuseArguments(): void {
  const args = process.argv.slice(2);
  if (args.length === 0) return;
  const wanted = "Settings are environment variables, which README.md lists: PORT=8080 npm start.";
  fail(`Got ${args.map((arg) => `"${arg}"`).join(", ")}, want no arguments. ${wanted}`);
}

function readEnvironment(): void {
  try {
    loadEnvironment("production");
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(`The environment is not usable. ${named(error.faults).join("; ")}`);
  }
}

/** Logs every fault of the environment before anything is built or a port is bound. */
function reportConfig(): void {
  const { fatal, render, access, open, unknown } = configReport();
  for (const text of tightLimits()) log().warn(text);
  for (const text of named(open)) log().warn(`OPEN MODE, everyone who can reach this server may render. ${text}`);
  for (const text of named(unknown)) log().warn(text);
  for (const text of named(render)) log().error(`Every render is answered 503 until this is corrected. ${text}`);
  const effect = accessEnabled() ? "A part of accounts does not work" : "This counts as unset";
  for (const text of named(access)) log().error(`${effect} until it is corrected. ${text}`);
  if (fatal.length > 0) fail(`The environment is not usable. ${named(fatal).join("; ")}`);
}

const INCOMPLETE = `This standalone folder is incomplete: ${PROJECT_DIR}. Copy it again, or make it with "npm run build -- --standalone".`;

/** For the log: how many files are missing or damaged, and the first of them. */
function someOf(damaged: string[]) {
  return { damagedFiles: damaged.length, firstFiles: damaged.slice(0, 5) };
}

/** Builds unless there is a whole build of exactly these sources. In that case it loads and writes nothing. */
async function ensureBuilt(stamp: string): Promise<void> {
  const ended = hasEnded(stamp);
  const damaged = damagedFiles(PROJECT_DIR);
  if (ended && damaged.length === 0) return;
  if (isStandalone()) fail(INCOMPLETE, someOf(damaged));
  const { buildOnce, endIfStopped } = await import("./build.ts");
  const building = "building it, which takes a minute or more.";
  if (ended) log().warn(someOf(damaged), `Files of this build are missing or damaged: ${building}`);
  else log().info(`This tree was not built yet, or has changed: ${building}`);
  await buildOnce(stamp).catch(async (error: unknown) => {
    await endIfStopped(error);
    throw error;
  });
}

/** Says which browser renders on a machine that none is bundled for. */
function reportFoundBrowser(): void {
  const path = foundBrowser();
  if (path === undefined) return;
  const fonts = process.platform === "linux" ? "" : " It draws with the fonts of this machine.";
  log().warn(
    `No Chromium is bundled for ${process.platform} on ${process.arch}. Rendering with ${path}, which was found here.${fonts} Its pictures differ from those of the bundled one. Set SERVICE_CHROMIUM_PATH for another browser.`,
  );
}

/** Unpacks Chromium and logs the progress. A failure does not stop the start: every render tries again. */
async function unpackChromium(): Promise<void> {
  if (configReport().render.length > 0) return;
  reportFoundBrowser();
  const { dataDir, chromiumPath, browserWs } = renderConfig();
  if (chromiumPath || browserWs) return;
  const { prepareChromium } = await import("#lib/render/chromium/install.ts");
  // The start of the first browser fails for the same reason, and logs it.
  await prepareChromium({ dataDir, onProgress: (message) => log().info(message) }).catch(() => undefined);
}

/** Whether the standard variables of OpenTelemetry name a collector. Otherwise nothing of it is loaded. */
function isTracingWanted(): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } =
    process.env;
  if (OTEL_SDK_DISABLED?.toLowerCase() === "true" || OTEL_TRACES_EXPORTER === "none") return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_TRACES_EXPORTER === "otlp");
}

/** Node would print it as text, and end with the same code. Once it is there, Next logs such errors, and goes on. */
function failUncaught(err: unknown): void {
  fail("The start ended by an error that nothing caught.", { err });
}

/** Builds and serves. The database opens while Chromium is unpacked and Next loads. */
async function start(): Promise<void> {
  const stamp = sourceStamp();
  if (configReport().render.length === 0) await keepCompiledCode(renderConfig().dataDir, stamp);
  await ensureBuilt(stamp);
  if (isTracingWanted()) (await import("./start/open-telemetry.ts")).startTracing();
  const database = await startDatabase();
  try {
    // Imported late, because Next reads NODE_ENV while it loads.
    const [{ serve }] = await Promise.all([import("./serve.ts"), unpackChromium(), database.ready]);
    process.off("uncaughtException", failUncaught);
    await serve(config, database);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

// A killed npm or launcher passes no signal on.
onParentEnd(() => process.kill(process.pid, "SIGTERM"));
requireOwnFolder();
refuseArguments();
readEnvironment();
process.on("uncaughtException", failUncaught);
logConsole();
reportConfig();
const config = serverConfig();
try {
  await start();
} catch (error) {
  const message = explainStartFault(error, config);
  if (message === undefined) fail("Cannot start.", { err: error });
  fail(message);
}
