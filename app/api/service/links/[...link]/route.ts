import { methods } from "#lib/http/route/methods.ts";
import { offerFastPath } from "#lib/http/server/fast-path.ts";
import { getLinkedImage } from "#lib/operations/links.ts";

const handlers = methods(getLinkedImage);

/** Pages that many people open request this path, and most pictures come from memory. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = offerFastPath(getLinkedImage.path, handlers);
