import { type IncomingMessage, request as requestHttp } from "node:http";
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { abortable } from "#lib/abortable.ts";
import { VERSION } from "#lib/config.ts";
import type { ImageFault } from "../image-fault.ts";
import { IMAGE_CHUNK_BYTES, IMAGE_CHUNKS, MAX_PROVISIONAL_RESPONSES } from "../image-limits.ts";
import { currentImages } from "../render-images.ts";
import type { AllowedUrl } from "./allowed-url.ts";
import { fetchedBytes } from "./fetched-bytes.ts";
import { guardedConnector } from "./guarded-connector.ts";
import type { FindAddresses } from "./lookups.ts";
import { pacedConnector } from "./paced-tls.ts";

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

/** Listens for `data` events, one for each chunk. An async iterator would join chunks, and the count would miss them. */
function readBody(body: IncomingMessage, maxBytes: number): Promise<ImageResponse> {
  const images = currentImages();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const stop = (fault: ImageFault) => {
      resolve(fault);
      // The packet just read may hold thousands of further chunks.
      body.removeAllListeners("data").destroy();
    };
    body.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) return stop(tooLarge(maxBytes));
      if (chunks.length >= IMAGE_CHUNKS + length / IMAGE_CHUNK_BYTES)
        return stop(serverFault("The server of the image sends it in too many small chunks."));
      fetchedBytes().add(images, chunk.length);
      chunks.push(chunk);
    });
    body.once("end", () => resolve({ bytes: Buffer.concat(chunks, length) })).once("error", reject);
  });
}

/** Servers redirect to names in UTF-8, whose bytes Node reads as characters of Latin-1. In an address, bytes are percent-encoded. */
function escapeBytes(header: string): string {
  return header.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<ImageResponse> {
  const { statusCode = 0, headers } = response;
  const { location, "content-encoding": encoding = "identity", "content-length": announced } = headers;
  if (REDIRECTS.includes(statusCode) && location !== undefined) return { location: escapeBytes(location) };
  if (statusCode !== 200) return serverFault(`The server of the image answered with status ${statusCode}.`);
  if (encoding !== "identity")
    return serverFault("The server of the image sends it compressed, though the request refused compression.");
  if (Number(announced) > maxBytes) return tooLarge(maxBytes);
  return await readBody(response, maxBytes);
}

/** Sends a request over a connection of its own. Any server may send a few provisional responses (1xx), which Node skips. */
function sendRequest(url: URL, connect: buildConnector.connector) {
  const { protocol, hostname, host, port } = url;
  const request = requestHttp({
    host: hostname,
    path: `${url.pathname}${url.search}`,
    headers: { Host: host, ...HEADERS },
    createConnection: (_, connected) => {
      connect({ protocol, hostname: hostname.replace(/^\[(.*)\]$/, "$1"), host, port }, (error, socket) =>
        connected(error, socket as Socket),
      );
      return undefined;
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).on("error", reject);
    // Without this listener, Node would close the connection without an event.
    request.once("upgrade", () => reject(Object.assign(new Error("The protocol was switched."), { code: "UPGRADED" })));
    let provisional = 0;
    request.on("information", () => {
      provisional++;
      if (provisional <= MAX_PROVISIONAL_RESPONSES) return;
      request.destroy(Object.assign(new Error("Too many provisional responses."), { code: "PROVISIONAL" }));
    });
  });
  request.end();
  return { request, response };
}

/**
 * Sends one GET request over a connection of its own, without a proxy, cookies or state of other requests.
 * @throws AddressRefused, the signal's reason, or the error of the connection
 */
export async function requestImage(
  { url, host }: AllowedUrl,
  { maxBytes, timeoutMs, signal, find, ca }: RequestOptions,
): Promise<ImageResponse> {
  const end = new AbortController();
  const connect = pacedConnector(
    guardedConnector({ isPrivate: host.isPrivate, find, timeoutMs, ca, signal: end.signal }),
  );
  const { request, response } = sendRequest(url, connect);
  const read = async () => {
    const answer = await response;
    // Closing the connection makes an unread body emit an error that means nothing.
    answer.on("error", () => undefined);
    return await readResponse(answer, maxBytes);
  };
  try {
    return await abortable(read(), signal);
  } finally {
    // This also ends a response that the signal aborted.
    request.destroy();
    // A request has no connection before it is open. It would be opened for seconds more, and count among no server's.
    end.abort();
  }
}
