import { once } from "node:events";
import { freePort } from "#tests/free-port.ts";
import { spawnGroup } from "#tests/process-group.ts";

export type DevServer = { origin: string; stop: () => Promise<void> };

/**
 * Runs `npm run dev` on a free port of the loopback address, and waits until it listens.
 * @throws Error with everything printed, where the command ends before
 */
export async function startDevServer(env: Record<string, string>): Promise<DevServer> {
  const port = await freePort();
  const npm = spawnGroup(["npm", "run", "dev"], {
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1", SERVICE_RENDER_WORKERS: "1", ...env },
  });
  const closed = once(npm, "close");
  let output = "";
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [npm.stdout, npm.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      // Without the mark before it, which may have a colour.
      if (output.includes("Ready in")) resolve();
    });
  npm.once("close", (code) => reject(new Error(`npm run dev ended with ${code}:\n${output}`)));
  await listening;
  const stop = async () => {
    // As Ctrl-C does: the whole group.
    process.kill(-(npm.pid as number), "SIGINT");
    await closed;
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}
