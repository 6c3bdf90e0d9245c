import { Client, type Dispatcher } from "undici";
import { abortable } from "#lib/abortable.ts";
import { VERSION } from "#lib/config.ts";
import type { AllowedUrl } from "./allowed-url.ts";
import { type FindAddresses, guardedConnector } from "./guarded-connector.ts";
import type { ImageFault } from "./image-fault.ts";

/** The image, or the target of a redirect. */
export type ImageResponse = { bytes: Buffer } | { location: string } | ImageFault;

export type RequestOptions = {
  maxBytes: number;
  timeoutMs: number;
  /** Aborts when the time is up or the image is no longer needed. */
  signal: AbortSignal;
  find: FindAddresses;
  ca?: string | undefined;
};

const REDIRECTS = [301, 302, 303, 307, 308];

/** Nothing of the caller is passed on. Compression is refused because it hides the real length. */
const HEADERS = {
  "User-Agent": `Platen/${VERSION}`,
  Accept: "image/png, image/jpeg, image/webp, image/gif, image/avif;q=0.5",
  "Accept-Encoding": "identity",
};

function serverFault(fault: string): ImageFault {
  return { fault, isServerFault: true };
}

function tooLarge(maxBytes: number): ImageFault {
  return serverFault(`The server of the image sends more than ${maxBytes.toLocaleString("en")} bytes.`);
}

async function readBody(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<ImageResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks, length) };
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<ImageResponse> {
  const { location, "content-encoding": encoding = "identity", "content-length": announced } = headers;
  if (REDIRECTS.includes(statusCode) && typeof location === "string") return { location };
  if (statusCode !== 200) return serverFault(`The server of the image answered with status ${statusCode}.`);
  if (encoding !== "identity")
    return serverFault("The server of the image sends it compressed, though the request refused compression.");
  if (Number(announced) > maxBytes) return tooLarge(maxBytes);
  return await readBody(body, maxBytes);
}

/**
 * Sends one GET request over a connection of its own, without a proxy, cookies or state of other requests.
 * @throws AddressRefused, the signal's reason, or the error of the connection
 */
export async function requestImage(
  { url, host }: AllowedUrl,
  { maxBytes, timeoutMs, signal, find, ca }: RequestOptions,
): Promise<ImageResponse> {
  const connect = guardedConnector({ isPrivate: host.isPrivate, find, timeoutMs, ca });
  const client = new Client(url.origin, { connect, pipelining: 0, allowH2: false });
  const request = async () => {
    const path = `${url.pathname}${url.search}`;
    const response = await client.request({ path, method: "GET", headers: HEADERS });
    // Closing the connection makes an unread body emit an error that means nothing.
    response.body.on("error", () => undefined);
    return await readResponse(response, maxBytes);
  };
  try {
    return await abortable(request(), signal);
  } finally {
    // This also ends a lookup, a connection attempt or a response that the signal aborted.
    void client.destroy();
  }
}
