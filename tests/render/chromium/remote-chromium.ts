import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { emptyDataDir, removeDir, SHARED_DATA_DIR } from "../rig.ts";

/** A browser that listens on the loopback address, started with flags of another operator. */
export type RemoteChromium = {
  pid: number;
  port: number;
  /** Its WebSocket address, whose path is new with each start. */
  address: string;
  /** Kills all of its processes and removes its files. */
  kill(): Promise<void>;
};

/** @param port 0 for any free one @param settings flags that stand for settings of its machine */
export async function startRemoteChromium(port = 0, settings: string[] = []): Promise<RemoteChromium> {
  const { executable, libraries } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  const dir = emptyDataDir();
  // An ordinary user may not have access to /dev/shm.
  const anywhere = ["--no-sandbox", "--disable-dev-shm-usage"];
  const flags = ["--headless", ...anywhere, ...settings, "--disable-gpu", `--user-data-dir=${join(dir, "profile")}`];
  const child = spawn(executable, [...flags, `--remote-debugging-port=${port}`], {
    detached: true,
    env: {
      ...process.env,
      HOME: dir,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: await prepareFontconfig(SHARED_DATA_DIR),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const pid = child.pid ?? 0;
  const ended = once(child, "exit");
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, "SIGKILL");
    await ended;
    removeDir(dir);
  };
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const [, address] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (!address) continue;
    child.stderr.resume();
    return { pid, port: Number(new URL(address).port), address, kill };
  }
  await kill();
  throw new Error(`The remote browser did not start:\n${said.join("\n")}`);
}
