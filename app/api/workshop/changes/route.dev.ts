import { methods } from "#lib/http/route/methods.ts";
import { watchTemplates } from "../../../workshop/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(watchTemplates);
