import { methods } from "#lib/http/route/methods.ts";
import { offerFastPath } from "#lib/http/server/fast-path.ts";
import { renderImage } from "#lib/operations/images.ts";

const handlers = methods(renderImage);

/** Scripts request this path often enough to bypass Next. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = offerFastPath(renderImage.path, handlers);
