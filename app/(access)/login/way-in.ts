import { headers } from "next/headers";
import { reachedBy } from "#lib/http/identity/reached.ts";
import { arrivalOf } from "#lib/http/server/request-context.ts";

/** Nothing but the headers of the request that is made with it is used. */
const IN_PROCESS_URL = "http://in-process/";

/** How the reader has reached the service. */
export async function wayIn(): Promise<ReturnType<typeof reachedBy>> {
  return reachedBy(arrivalOf(new Request(IN_PROCESS_URL, { headers: await headers() })));
}
