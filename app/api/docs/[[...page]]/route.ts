import { methods } from "#lib/http/route/methods.ts";
import { getDocsPage } from "../../../docs/docs-operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getDocsPage);
