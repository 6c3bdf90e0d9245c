import { after } from "next/server.js";
import { noteTokenUse } from "#lib/access/tokens.ts";
import { flushUsage, recordRender } from "#lib/access/usage.ts";
import { isSuspendedBetweenRequests } from "#lib/config.ts";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { renderer, viewer } from "#lib/http/identity/auth.ts";
import { fairCaller } from "#lib/http/identity/caller.ts";
import { cacheableImageResponse, notModifiedResponse } from "#lib/http/response/conditional-response.ts";
import { pngResponse } from "#lib/http/response/png-response.ts";
import { operation } from "#lib/http/route/operation.ts";
import { STRICT_APPLIED } from "#lib/http/route/prefer.ts";
import { explainPicture } from "#lib/proof/explain.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { findThumbnail } from "#lib/render/thumbnail.ts";
import { Explanation } from "#lib/schemas/explanation.ts";
import { RenderRequest } from "#lib/schemas/render.ts";
import { ThumbnailQuery } from "#lib/schemas/thumbnail.ts";
import { CACHED_IMAGE, PICTURE_HEADERS, PREFER_PARAMETER } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { renderBody } from "./render-body.ts";
import { RENDER_ERRORS } from "./render-errors.ts";
import { RENDERING, TEMPLATES } from "./tags.ts";

export const renderImage = operation({
  method: "POST",
  path: PATHS.render,
  operationId: "renderImage",
  summary: "Render a template to a PNG",
  tag: RENDERING,
  auth: renderer,
  body: RenderRequest,
  exactBody: renderBody,
  bodyLimitBytes: RENDER_BODY_LIMIT_BYTES,
  parameters: [PREFER_PARAMETER],
  contentType: "image/png",
  success: "The picture, at exactly the template's width and height.",
  headers: PICTURE_HEADERS,
  errors: RENDER_ERRORS,
  handle: async ({ actor, body, caller: callerOf, isStrict, addToLog, headers, signal }) => {
    const caller = fairCaller(actor, callerOf());
    if (isStrict) headers.set(STRICT_APPLIED.name, STRICT_APPLIED.value);
    const rendered = await renderTemplate(body, { signal, caller, isStrict, tell: addToLog });
    recordRender({ actor, template: rendered.slug });
    if (isSuspendedBetweenRequests()) after(flushUsage);
    if (actor.kind === "token") await noteTokenUse(actor);
    return pngResponse(rendered);
  },
});

export const explainImage = operation({
  method: "POST",
  path: PATHS.explain,
  operationId: "explainImage",
  summary: "Explain the texts of a picture: sizes, lines, faces, contrast, and why",
  tag: RENDERING,
  auth: viewer,
  body: RenderRequest,
  exactBody: renderBody,
  bodyLimitBytes: RENDER_BODY_LIMIT_BYTES,
  returns: Explanation,
  success: "The texts of the picture that a render with this body would draw.",
  errors: RENDER_ERRORS,
  handle: async ({ actor, body, caller: callerOf, addToLog, signal }) => {
    const caller = fairCaller(actor, callerOf());
    // It takes about twice as long as its picture, and texts of some templates have thousands of characters.
    const { explanation } = await explainPicture(body, { signal, caller, leavesBrowser: true });
    addToLog({ template: explanation.template, variant: explanation.variant });
    return explanation;
  },
});

export const getThumbnail = operation({
  method: "GET",
  path: PATHS.thumbnail,
  operationId: "getThumbnail",
  summary: "Get a small picture of a template's variant with its own content",
  tag: TEMPLATES,
  auth: viewer,
  query: ThumbnailQuery,
  contentType: "image/webp",
  success: "The picture.",
  headers: CACHED_IMAGE,
  isConditional: true,
  errors: ["unknown_template", "unknown_variant", "render_failed", "overloaded", "render_timeout"],
  handle: async ({ actor, caller: callerOf, params, query, matchesEtag, signal }) => {
    const { etag, picture } = await findThumbnail({ slug: params.slug, ...query });
    if (matchesEtag(etag)) return notModifiedResponse(etag);
    const caller = fairCaller(actor, callerOf());
    return cacheableImageResponse({ bytes: await picture({ signal, caller }), contentType: "image/webp", etag });
  },
});
