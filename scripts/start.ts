import { renderConfig, serverConfig } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { ConfigError, type ConfigFault } from "#lib/environment/config-error.ts";
import { isBuilt, sourceStamp } from "./build/build-stamp.ts";
import { keepCompiledCode } from "./compiled-code.ts";
import { startDatabase } from "./database.ts";
import { loadEnvironment } from "./environment.ts";

function print(title: string, faults: ConfigFault[]): void {
  if (faults.length === 0) return;
  console.error(title);
  for (const { variable, message } of faults) console.error(`  ${variable}: ${message}`);
}

/** Prints every fault of the environment before anything is built or a port is bound. */
function reportConfig(): void {
  const { fatal, render, access, unknown } = configReport();
  print("The environment is not usable:", fatal);
  print("WARNING: nothing can be rendered until this is fixed; every render will be answered 503:", render);
  print("WARNING: a part of the access layer does not work until this is fixed:", access);
  print("Unknown variables:", unknown);
  if (fatal.length > 0) process.exit(1);
}

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: "the port is in use. Set PORT to another one.",
  EACCES: "this user may not listen on that port. Set PORT to one above 1023.",
  EADDRNOTAVAIL: "this machine does not have that address. Set HOST to one that it has, or leave it out.",
};

/** Builds unless there is a build of exactly these sources. In that case it loads and writes nothing. */
async function ensureBuilt(stamp: string): Promise<void> {
  if (isBuilt(stamp)) return;
  const { buildOnce } = await import("./build.ts");
  await buildOnce(stamp);
}

/** Unpacks Chromium and prints the progress. A failure is printed and does not stop the start: every render tries again. */
async function unpackChromium(): Promise<void> {
  if (configReport().render.length > 0) return;
  const { dataDir, chromiumPath, browserWs } = renderConfig();
  if (chromiumPath || browserWs) return;
  const { prepareChromium } = await import("#lib/render/chromium/install.ts");
  await prepareChromium({ dataDir, onProgress: (message) => console.log(message) }).catch((error: Error) => {
    console.error(`WARNING: nothing can be rendered: ${error.message}`, error.cause ?? "");
  });
}

function explain(error: unknown): unknown {
  const reason = LISTEN_FAULTS[(error as NodeJS.ErrnoException).code ?? ""];
  if (reason) return `Cannot listen on ${config.host ?? "*"}:${config.port}: ${reason}`;
  return error instanceof ConfigError ? error.message : error;
}

/** Builds and serves. The database opens while Chromium is unpacked and Next loads. */
async function start(): Promise<void> {
  const stamp = sourceStamp();
  if (configReport().render.length === 0) await keepCompiledCode(renderConfig().dataDir, stamp);
  await ensureBuilt(stamp);
  const database = await startDatabase();
  try {
    // Imported late, because Next reads NODE_ENV while it loads.
    const [{ serve }] = await Promise.all([import("./serve.ts"), unpackChromium(), database.ready]);
    await serve(config, database);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

loadEnvironment("production");
reportConfig();
const config = serverConfig();
try {
  await start();
} catch (error) {
  console.error(explain(error));
  // The listener, browsers and Next would keep the process alive, with every request waiting.
  process.exit(1);
}
