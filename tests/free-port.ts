import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Systems give no port of these to an outgoing connection. Linux does from 32768 on: one of the thousands of connections that tests open
 * would take the port before the program that it is meant for. `fetch` refuses port 10080.
 */
const [FIRST, AFTER_LAST] = [11_000, 32_768];

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server.listen(port, "127.0.0.1"), "listening");
  try {
    await listening;
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** A free port of the loopback address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) return port;
  }
}
