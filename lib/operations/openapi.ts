import { z } from "zod";
import { viewer } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { describeService } from "./all.ts";
import { PATHS } from "./paths.ts";

export const getOpenApi = operation({
  method: "GET",
  path: PATHS.openApi,
  operationId: "getOpenApi",
  summary: "Get the OpenAPI 3.1 document",
  tag: null,
  auth: viewer,
  returns: z.record(z.string(), z.unknown()),
  handle: () => describeService(),
});
