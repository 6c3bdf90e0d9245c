import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PROJECT_DIR, renderConfig } from "#lib/config.ts";
import { prepareChromium } from "#lib/render/chromium.ts";
import { buildOnce } from "./build.ts";
import { sourceStamp } from "./build-stamp.ts";

/** Of one after the other, each of which waits for half of its time, a machine with two cores would be idle for a third. */
const SUITES = {
  service: ["--import", "./scripts/guard.mjs", "node_modules/vitest/vitest.mjs", "run"],
  pages: [join("node_modules", "@playwright", "test", "cli.js"), "test"],
};

function start(suite: keyof typeof SUITES, output: "inherit" | "pipe"): ChildProcess {
  return spawn(process.execPath, SUITES[suite], { cwd: PROJECT_DIR, stdio: ["ignore", output, output] });
}

/** What a process prints, in the order in which it does. */
async function outputOf(child: ChildProcess): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks);
}

/** Runs the tests of the service, printed as they go, and those of its pages beside them, printed afterwards. */
async function main(): Promise<void> {
  await buildOnce(sourceStamp());
  await prepareChromium({ dataDir: renderConfig().dataDir, onProgress: (message) => console.log(message) });
  const service = start("service", "inherit");
  const pages = start("pages", "pipe");
  const stop = (signal: NodeJS.Signals) => [service, pages].map((child) => child.kill(signal));
  process.once("SIGTERM", stop);
  const [output] = await Promise.all([outputOf(pages), once(service, "close")]);
  process.stdout.write(output);
  if (service.exitCode !== 0 || pages.exitCode !== 0) process.exitCode = 1;
}

await main();
