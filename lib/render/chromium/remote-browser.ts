import { once } from "node:events";
import { NodeWebSocketTransport } from "puppeteer-core/internal/node/NodeWebSocketTransport.js";
import { Agent, request } from "undici";
import { WebSocket } from "ws";
import { z } from "zod";
import { abortable } from "#lib/abortable.ts";
import { lookUpHost } from "#lib/addresses/lookup-host.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";
import {
  CLOSE_TIMEOUT_MS,
  REMOTE_DESCRIPTION_BYTES,
  REMOTE_KEEP_ALIVE_MS,
  REMOTE_MESSAGE_BYTES,
} from "#lib/render/render-limits.ts";
import { BrowserConnection } from "./connection.ts";
import { PROXY_TO_NOWHERE } from "./flags.ts";
import type { Browser } from "./launch.ts";

/** A browser's answer at `/json/version`. Only the path of the address in it is used. */
const description = z.object({ webSocketDebuggerUrl: z.url() });

type Endpoint = { url: URL; headers: Record<string, string> };

/** Moves a credential from the address to a header. */
function readAddress(address: string): Endpoint {
  const url = new URL(address);
  const credential = [url.username, url.password].map(decodeURIComponent).join(":");
  url.username = url.password = "";
  const isGiven = credential !== ":";
  return { url, headers: isGiven ? { authorization: `Basic ${Buffer.from(credential).toString("base64")}` } : {} };
}

const dispatcher = new Agent({ connect: { lookup: lookUpHost } });

/** @throws the error of the connection; the signal's reason */
async function describe({ url, headers }: Endpoint, signal: AbortSignal): Promise<string | undefined> {
  const question = new URL(`/json/version${url.search}`, url);
  question.protocol = url.protocol.replace("ws", "http");
  // By itself, a request does not end before its connection is open.
  const { statusCode, body } = await abortable(request(question, { headers, signal, dispatcher }), signal);
  if (statusCode !== 200) {
    await body.dump();
    return undefined;
  }
  let text = "";
  for await (const chunk of body) {
    text += chunk;
    if (text.length > REMOTE_DESCRIPTION_BYTES)
      throw new Error(`The remote browser's answer at /json/version is longer than ${REMOTE_DESCRIPTION_BYTES} bytes.`);
  }
  return text;
}

/**
 * An address without a path is completed by asking the browser, whose own path is new with each start. Services that start a
 * browser for each connection have no such path, and are connected to at the address as given.
 */
async function findEndpoint(address: string, signal: AbortSignal): Promise<Endpoint> {
  const endpoint = readAddress(address);
  if (endpoint.url.pathname !== "/") return endpoint;
  const answer = description.safeParse(parseJson(await describe(endpoint, signal))).data;
  if (answer) endpoint.url.pathname = new URL(answer.webSocketDebuggerUrl).pathname;
  return endpoint;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Opens the WebSocket here, because those of puppeteer-core follow redirects and cannot be terminated. */
async function openWebSocket({ url, headers }: Endpoint, signal: AbortSignal): Promise<WebSocket> {
  const limits = { maxPayload: REMOTE_MESSAGE_BYTES, perMessageDeflate: false, followRedirects: false };
  const socket = new WebSocket(url, { headers, ...limits, lookup: lookUpHost });
  // `terminate` reports an error when the socket is not open yet.
  socket.on("error", () => undefined);
  socket.once("upgrade", (answer) => answer.socket.setKeepAlive(true, REMOTE_KEEP_ALIVE_MS));
  try {
    await once(socket, "open", { signal });
    return socket;
  } catch (error) {
    socket.terminate();
    throw error;
  }
}

/**
 * Connects to a remote browser and opens a browser context of its own there, which shares nothing with other clients and ends
 * with the connection. The browser itself is never ended. A message above 128 MB ends the connection.
 * @throws Error when the browser cannot be reached or refuses, or the signal's reason
 */
export async function connectBrowser(address: string, signal: AbortSignal): Promise<Browser> {
  const socket = await openWebSocket(await findEndpoint(address, signal), signal);
  const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const connection = new BrowserConnection(new NodeWebSocketTransport(socket, () => undefined));
  const end = () => {
    connection.close(new BrowserLost("The connection to the browser was closed."));
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  };
  try {
    const { browserContextId: contextId } = await connection
      .commands(signal)
      .send("Target.createBrowserContext", { disposeOnDetach: true, ...PROXY_TO_NOWHERE });
    const close = async () => {
      connection.root.send("Target.disposeBrowserContext", { browserContextId: contextId }).catch(() => undefined);
      end();
      await gone;
    };
    return { pid: undefined, needsRoomIn: undefined, contextId, connection, gone, kill: () => void close(), close };
  } catch (error) {
    end();
    throw error;
  }
}
