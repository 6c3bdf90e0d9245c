import { accessLayerMissing } from "#lib/access/policy.ts";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { answer } from "#lib/http/answer.ts";
import { everyMethod } from "#lib/http/methods.ts";

/** Under `/api` where no route is. */
export const nothingHere = everyMethod((request) =>
  answer(request, () => Promise.reject(new AppError("not_found", "There is nothing at this path."))),
);

/** The access routes: there are none in open mode, and this version has none in the other. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod((request, context) =>
  accessEnabled() ? answer(request, () => Promise.reject(accessLayerMissing())) : nothingHere.GET(request, context),
);
