import { methods } from "#lib/http/route/methods.ts";
import { getThumbnail } from "#lib/operations/images.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getThumbnail);
