import { methods } from "#lib/http/route/methods.ts";
import { explainImage } from "#lib/operations/images.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(explainImage);
