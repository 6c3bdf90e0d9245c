import { Client, type Dispatcher } from "undici";
import { abortable } from "#lib/abortable.ts";
import { VERSION } from "#lib/config.ts";
import type { Admitted } from "./admit.ts";
import { type FindAddresses, guardedConnector } from "./guarded-connector.ts";
import type { ImageFault } from "./image-fault.ts";

/** The image, or where it is instead. */
export type Answer = { bytes: Buffer } | { location: string } | ImageFault;

export type Asking = {
  maxBytes: number;
  timeoutMs: number;
  /** Aborts when the time is up or the image is no longer wanted. */
  signal: AbortSignal;
  find: FindAddresses;
  ca?: string | undefined;
};

const REDIRECTS = [301, 302, 303, 307, 308];

/** Nothing of whoever asked for the picture, and no encoding: what is packed tells nothing of its length. */
const HEADERS = {
  "User-Agent": `Platen/${VERSION}`,
  Accept: "image/png, image/jpeg, image/webp, image/gif, image/avif;q=0.5",
  "Accept-Encoding": "identity",
};

function elsewhere(fault: string): ImageFault {
  return { fault, isElsewhere: true };
}

function tooLarge(maxBytes: number): ImageFault {
  return elsewhere(`The server of the image sends more than ${maxBytes.toLocaleString("en")} bytes.`);
}

async function readBody(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks, length) };
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Answer> {
  const { location, "content-encoding": encoding = "identity", "content-length": announced } = headers;
  if (REDIRECTS.includes(statusCode) && typeof location === "string") return { location };
  if (statusCode !== 200) return elsewhere(`The server of the image answered with status ${statusCode}.`);
  if (encoding !== "identity") return elsewhere("The server of the image sends it compressed, though asked not to.");
  if (Number(announced) > maxBytes) return tooLarge(maxBytes);
  return await readBody(body, maxBytes);
}

/**
 * Asks one address once, over a connection of its own: no proxy, no cookie and no state of another request.
 * @throws AddressRefused, the signal's reason, or what went wrong with the connection
 */
export async function ask({ url, host }: Admitted, { maxBytes, timeoutMs, signal, find, ca }: Asking): Promise<Answer> {
  const connect = guardedConnector({ isPrivate: host.isPrivate, find, timeoutMs, ca });
  const client = new Client(url.origin, { connect, pipelining: 0, allowH2: false });
  const request = async () => {
    const path = `${url.pathname}${url.search}`;
    const response = await client.request({ path, method: "GET", headers: HEADERS, signal });
    // Of a body that is left unread: its connection is closed, which is no fault of anything.
    response.body.on("error", () => undefined);
    return await readAnswer(response, maxBytes);
  };
  try {
    // The client listens to the signal only once it is connected.
    return await abortable(request(), signal);
  } finally {
    void client.destroy();
  }
}
