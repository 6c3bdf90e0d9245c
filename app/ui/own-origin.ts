import { headers } from "next/headers";
import { arrivalOf } from "#lib/http/exchange.ts";
import { reachedBy } from "#lib/http/reached.ts";

/** Nothing but the headers of the request that is made with it is used. */
const IN_PROCESS_URL = "http://in-process/";

/** How the reader has reached the service. */
export async function ownWay(): Promise<ReturnType<typeof reachedBy>> {
  return reachedBy(arrivalOf(new Request(IN_PROCESS_URL, { headers: await headers() })));
}

/**
 * Where the reader has reached the service, such as `https://cards.example.org`: what a command that they copy has to call.
 * Where forwarding headers are in doubt, `Host` over plain http.
 */
export async function ownOrigin(): Promise<string> {
  const { at } = await ownWay();
  return "origin" in at ? at.origin : `http://${(await headers()).get("host") ?? "localhost"}`;
}
