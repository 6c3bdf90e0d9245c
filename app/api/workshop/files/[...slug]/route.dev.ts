import { methods } from "#lib/http/route/methods.ts";
import { getSources, postSource } from "../../../../workshop/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getSources, postSource);
