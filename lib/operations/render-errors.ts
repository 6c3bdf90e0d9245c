import type { ErrorCode } from "#lib/errors.ts";

/** What can go wrong while a request is rendered. */
export const RENDER_ERRORS: ErrorCode[] = [
  "unknown_template",
  "unknown_variant",
  "invalid_data",
  "image_rejected",
  "render_failed",
  "overloaded",
  "render_timeout",
];
