import { anyone } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";

/** In a separate file from the other probes, so that its route does not load the renderer. */
export const getHealth = operation({
  method: "GET",
  path: PATHS.health,
  operationId: "getHealth",
  summary: "Check that the process answers",
  tag: null,
  hostCheck: "never",
  auth: anyone,
  returns: Ok,
  handle: () => OK,
});
