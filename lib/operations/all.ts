import { hostConfig } from "#lib/config.ts";
import { openApiDocument } from "#lib/http/openapi/openapi.ts";
import type { Operation } from "#lib/http/route/operation.ts";
import * as account from "./account.ts";
import * as audit from "./audit.ts";
import * as health from "./health.ts";
import * as images from "./images.ts";
import * as links from "./links.ts";
import { PATHS } from "./paths.ts";
import * as probes from "./probes.ts";
import * as proofs from "./proofs.ts";
import * as robots from "./robots.ts";
import * as sessions from "./sessions.ts";
import * as status from "./status.ts";
import * as templates from "./templates.ts";
import * as tokens from "./tokens.ts";
import * as users from "./users.ts";

const RESOURCES = [
  account,
  audit,
  health,
  images,
  links,
  probes,
  proofs,
  robots,
  sessions,
  status,
  templates,
  tokens,
  users,
];

const PATH_ORDER: readonly string[] = Object.values(PATHS);
const METHOD_ORDER = ["GET", "POST", "PATCH", "DELETE"];

function compare(a: Operation, b: Operation): number {
  return (
    PATH_ORDER.indexOf(a.path) - PATH_ORDER.indexOf(b.path) ||
    METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method)
  );
}

/** Every operation, in the order of the documentation. The operations that return the documentation use this list. */
export const OPERATIONS: readonly Operation[] = RESOURCES.flatMap((resource) =>
  Object.values<Operation>(resource),
).toSorted(compare);

/**
 * The OpenAPI 3.1 document of the service as it is configured now.
 * @param origin replaces the public origin
 */
export function describeService(origin = hostConfig().publicOrigin): Promise<Record<string, unknown>> {
  return openApiDocument(OPERATIONS, origin);
}
