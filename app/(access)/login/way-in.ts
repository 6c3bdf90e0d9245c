import { headers } from "next/headers";
import { entryPointOf } from "#lib/http/identity/entry-point.ts";
import { receivedRequest } from "#lib/http/server/request-context.ts";

/** Nothing but the headers of the request that is made with it is used. */
const IN_PROCESS_URL = "http://in-process/";

/** How the reader has reached the service. */
export async function wayIn(): Promise<ReturnType<typeof entryPointOf>> {
  return entryPointOf(receivedRequest(new Request(IN_PROCESS_URL, { headers: await headers() })));
}
