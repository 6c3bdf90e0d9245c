import type { ImageConfig } from "#lib/config.ts";
import type { ImageHost } from "#lib/image-hosts.ts";
import { log } from "#lib/log.ts";
import type { ImageFault } from "../image-fault.ts";
import { MAX_PROVISIONAL_RESPONSES, MAX_REDIRECTS } from "../image-limits.ts";
import { limitFetches } from "../image-turns.ts";
import { type AllowedUrl, checkImageUrl } from "./allowed-url.ts";
import { AddressRefused } from "./guarded-connector.ts";
import { type FindAddresses, findAddresses } from "./lookups.ts";
import { type ImageResponse, requestImage } from "./request-image.ts";

/** The configuration for fetching images, and what tests replace. */
export type RemoteImages = ImageConfig & {
  /** Looks up hosts. The default is the lookup of the machine. */
  find?: FindAddresses;
  /** Certificate authorities to trust instead of the machine's, in PEM. */
  ca?: string;
};

const REFUSED: ImageFault = { fault: "Got an address that images may not come from." };

/** What the caller may know about a failed connection. It does not include addresses. */
const REASONS: [codes: RegExp, reason: string][] = [
  [/^(?:ENOTFOUND|EAI_)/, "was not found"],
  [/CERT|SIGNATURE|^ERR_TLS_/, "has no valid certificate"],
  [/^HPE_HEADER_OVERFLOW/, "sends more than 16 KiB of headers"],
  [/^TLS_EXCESS/, "sends too much for TLS, or in too many pieces"],
  [/^PROVISIONAL/, `sends more than ${MAX_PROVISIONAL_RESPONSES} provisional responses`],
  [/^UND_ERR_CONNECT_TIMEOUT|^ETIMEDOUT/, "did not answer in time"],
  [/^(?:ECONNRESET|EPIPE|UPGRADED|HPE_)/, "closed the connection early"],
];

function connectionFault(error: unknown, { url }: AllowedUrl): ImageFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const cause = error instanceof Error ? error.message : String(error);
  log().info({ host: url.host, code, cause }, "An image could not be fetched.");
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1] ?? "could not be reached";
  return { fault: `The server of the image ${reason}.`, isServerFault: true };
}

/** Checks the target of a redirect like the first address. The fault does not show the target. */
function checkRedirect(location: string, { url }: AllowedUrl, hosts: ImageHost[]): AllowedUrl | ImageFault {
  const next = checkImageUrl(URL.parse(location, url)?.href ?? "", hosts);
  return "fault" in next
    ? { fault: "The server of the image redirects to an address that images may not come from." }
    : next;
}

/** What limits a server to some of the fetches. Subdomains share these: one server may answer for all names of a wildcard. */
function serverOf({ hostname, port, isWildcard }: ImageHost): string {
  return `${isWildcard ? "*." : ""}${hostname}:${port}`;
}

type Fetched = { bytes: Buffer } | ImageFault;

type Fetching = RemoteImages & { find: FindAddresses; signal: AbortSignal };

async function requestGuarded(allowed: AllowedUrl, fetching: Fetching): Promise<ImageResponse> {
  try {
    const find: FindAddresses = (hostname) => fetching.find(hostname, serverOf(allowed.host));
    return await requestImage(allowed, { ...fetching, find });
  } catch (error) {
    if (fetching.signal.aborted) throw error;
    return error instanceof AddressRefused ? REFUSED : connectionFault(error, allowed);
  }
}

async function followRedirects(first: AllowedUrl, fetching: Fetching): Promise<Fetched> {
  let allowed = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await requestGuarded(allowed, fetching);
    if (!("location" in response)) return response;
    const next = checkRedirect(response.location, allowed, fetching.hosts);
    if ("fault" in next) return next;
    allowed = next;
  }
  return { fault: `The server of the image redirects more than ${MAX_REDIRECTS} times.`, isServerFault: true };
}

/** Starts the time limit only now, so that waiting for other fetches does not count. */
async function fetchNow(allowed: AllowedUrl, remote: RemoteImages, signal: AbortSignal | undefined): Promise<Fetched> {
  signal?.throwIfAborted();
  const timeUp = AbortSignal.timeout(remote.timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
  try {
    return await followRedirects(allowed, { find: findAddresses, ...remote, signal: ended });
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeUp.aborted) throw error;
    return { fault: "The server of the image did not answer in time.", isServerFault: true };
  }
}

/** Fetches the file at an allowed address. It does not check what the file is. @throws the signal's reason */
export async function fetchImage(address: string, remote: RemoteImages, signal?: AbortSignal): Promise<Fetched> {
  const allowed = checkImageUrl(address, remote.hosts);
  if ("fault" in allowed) return allowed;
  return await limitFetches(() => fetchNow(allowed, remote, signal), { signal, server: serverOf(allowed.host) });
}
