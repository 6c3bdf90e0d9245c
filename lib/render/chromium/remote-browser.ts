import { request } from "undici";
import { z } from "zod";
import { BrowserLost } from "#lib/render/render-faults.ts";
import { REMOTE_DESCRIPTION_BYTES } from "#lib/render/render-limits.ts";
import { CdpConnection } from "./cdp.ts";
import { PROXY_TO_NOWHERE } from "./flags.ts";
import type { Browser } from "./launch.ts";
import { type Endpoint, openWebSocket } from "./websocket.ts";

/** What a browser tells at `/json/version`, of which only the path is believed. */
const description = z.object({ webSocketDebuggerUrl: z.url() });

/** A password in an address travels as a header, as browsers do it. */
function readAddress(address: string): Endpoint {
  const url = new URL(address);
  const credential = [url.username, url.password].map(decodeURIComponent).join(":");
  url.username = url.password = "";
  const isGiven = credential !== ":";
  return { url, headers: isGiven ? { authorization: `Basic ${Buffer.from(credential).toString("base64")}` } : {} };
}

async function describe({ url, headers }: Endpoint, signal: AbortSignal): Promise<string | undefined> {
  const question = new URL(`/json/version${url.search}`, url);
  question.protocol = url.protocol.replace("ws", "http");
  const { statusCode, body } = await request(question, { headers, signal });
  if (statusCode !== 200) {
    await body.dump();
    return undefined;
  }
  let text = "";
  for await (const chunk of body) {
    text += chunk;
    if (text.length > REMOTE_DESCRIPTION_BYTES)
      throw new Error("The remote browser describes itself at too great length.");
  }
  return text;
}

/**
 * A browser's own address holds an identifier that is new with each start, so an address without a path is asked for it.
 * Services that start a browser per connection have none to tell, and are connected to as they are.
 */
async function findEndpoint(address: string, signal: AbortSignal): Promise<Endpoint> {
  const endpoint = readAddress(address);
  if (endpoint.url.pathname !== "/") return endpoint;
  const text = await describe(endpoint, signal);
  const told = description.safeParse(parseJson(text)).data;
  if (told) endpoint.url.pathname = new URL(told.webSocketDebuggerUrl).pathname;
  return endpoint;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Connects to a browser that runs elsewhere and opens a context of its own in it, which shares nothing with others and ends
 * with the connection. The browser itself is never ended.
 * @throws Error when it cannot be reached or refuses, or the signal's reason
 */
export async function connectBrowser(address: string, signal: AbortSignal): Promise<Browser> {
  const transport = await openWebSocket(await findEndpoint(address, signal), signal);
  const connection = new CdpConnection(transport);
  const gone = transport.closed.then(() => connection.close(new BrowserLost("The connection to the browser ended.")));
  try {
    const { browserContextId: contextId } = await connection.root
      .until(signal)
      .send("Target.createBrowserContext", { disposeOnDetach: true, ...PROXY_TO_NOWHERE });
    const close = async () => {
      connection.root.send("Target.disposeBrowserContext", { browserContextId: contextId }).catch(() => undefined);
      transport.close();
      await gone;
    };
    return { pid: undefined, needsRoomIn: [], contextId, connection, gone, kill: () => void close(), close };
  } catch (error) {
    transport.close();
    throw error;
  }
}
