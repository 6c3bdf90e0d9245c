import pLimit from "p-limit";
import type { ImageConfig } from "#lib/config.ts";
import type { ImageHost } from "#lib/image-hosts.ts";
import { log } from "#lib/log.ts";
import { type Admitted, admitAddress } from "./admit.ts";
import { type Answer, ask } from "./ask.ts";
import { AddressRefused, type FindAddresses, findAddresses } from "./guarded-connector.ts";
import type { ImageFault } from "./image-fault.ts";
import { CONCURRENT_FETCHES, MAX_REDIRECTS } from "./image-limits.ts";

/** How images are fetched, and by what means. */
export type RemoteImages = ImageConfig & {
  /** How hosts are looked up; the machine's own way unless given. */
  find?: FindAddresses;
  /** Certificate authorities to trust instead of the machine's, in PEM. */
  ca?: string;
};

const REFUSED: ImageFault = { fault: "Got an address that images may not come from." };

const limitFetches = pLimit(CONCURRENT_FETCHES);

/** What a sender may know of a failed connection: not where it led. */
const REASONS: [codes: RegExp, reason: string][] = [
  [/^(?:ENOTFOUND|EAI_)/, "was not found"],
  [/CERT|SIGNATURE|^ERR_TLS_/, "could not prove who it is"],
  [/^UND_ERR_CONNECT_TIMEOUT|^ETIMEDOUT/, "did not answer in time"],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES|HPE_)/, "broke off its answer"],
];

function failure(error: unknown, { url }: Admitted): ImageFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const cause = error instanceof Error ? error.message : String(error);
  log().info({ host: url.host, code, cause }, "An image could not be fetched.");
  const reason = REASONS.find(([codes]) => codes.test(code))?.[1] ?? "could not be reached";
  return { fault: `The server of the image ${reason}.`, isElsewhere: true };
}

/** Where a redirect leads to, with the same checks as the first address; what it names is the other server's business. */
function follow(location: string, { url }: Admitted, hosts: ImageHost[]): Admitted | ImageFault {
  const next = admitAddress(URL.parse(location, url)?.href ?? "", hosts);
  return "fault" in next
    ? { fault: "The server of the image sends on to an address that images may not come from." }
    : next;
}

type Fetched = { bytes: Buffer } | ImageFault;

type Fetching = RemoteImages & { find: FindAddresses; signal: AbortSignal };

async function askGuarded(admitted: Admitted, fetching: Fetching): Promise<Answer> {
  try {
    return await ask(admitted, fetching);
  } catch (error) {
    if (fetching.signal.aborted) throw error;
    return error instanceof AddressRefused ? REFUSED : failure(error, admitted);
  }
}

async function followAll(first: Admitted, fetching: Fetching): Promise<Fetched> {
  let admitted = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await askGuarded(admitted, fetching);
    if (!("location" in answer)) return answer;
    const next = follow(answer.location, admitted, fetching.hosts);
    if ("fault" in next) return next;
    admitted = next;
  }
  return { fault: `The server of the image sends on more than ${MAX_REDIRECTS} times.`, isElsewhere: true };
}

/** The time begins here, not while others are fetched first. */
async function fetchNow(admitted: Admitted, remote: RemoteImages, signal: AbortSignal | undefined): Promise<Fetched> {
  signal?.throwIfAborted();
  const timeUp = AbortSignal.timeout(remote.timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
  try {
    return await followAll(admitted, { find: findAddresses, ...remote, signal: ended });
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeUp.aborted) throw error;
    return { fault: "The server of the image did not answer in time.", isElsewhere: true };
  }
}

/**
 * Fetches the file at an address, if that is of an allowed host and leads to an allowed network. What the file is, its
 * reader finds out.
 * @throws the signal's reason
 */
export async function fetchImage(address: string, remote: RemoteImages, signal?: AbortSignal): Promise<Fetched> {
  const admitted = admitAddress(address, remote.hosts);
  return "fault" in admitted ? admitted : await limitFetches(() => fetchNow(admitted, remote, signal));
}
