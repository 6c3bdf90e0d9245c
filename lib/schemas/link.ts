import { z } from "zod";
import { RenderRequest } from "./render.ts";

/** The payload of a link: a request for a picture, until when it is answered, and what is drawn if that fails. */
export const LinkPayload = RenderRequest.extend({
  expires: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "Unix seconds. The link is answered before, not from then on." }),
  fallback: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "A variant that is drawn with its own content when the edits cannot be drawn." }),
});

export type LinkPayload = z.infer<typeof LinkPayload>;
