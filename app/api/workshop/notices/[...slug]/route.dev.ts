import { methods } from "#lib/http/route/methods.ts";
import { getNotices } from "../../../../workshop/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getNotices);
