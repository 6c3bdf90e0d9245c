import type { z } from "zod";
import type { RenderWarnings } from "#lib/schemas/warnings.ts";

type WarningCode = z.output<typeof RenderWarnings>["warnings"][number]["code"];

/** What every warning means, and what to do about it. Markdown. */
export const WARNING_REFERENCE: Record<WarningCode, { cause: string; remedy: string }> = {
  text_shrunk: {
    cause: "A text of the request was made smaller to fit its place.",
    remedy: "Nothing, or say it in fewer words.",
  },
  text_cut: {
    cause: "A text did not fit at its smallest size either, and ends in an ellipsis.",
    remedy: "Shorten it. The message says how many characters are shown.",
  },
  glyph_missing: {
    cause: "No font has these characters; the picture shows boxes.",
    remedy: "Replace the characters that the message names, or add a font that has them to the template.",
  },
  field_ignored: {
    cause: "With these edits and this variant, the template has no place for this text, image, date or code.",
    remedy: "Leave the field out, or fill in the field that it stands beside.",
  },
  image_unavailable: {
    cause: "An image could not be fetched, and the template may do without it.",
    remedy: "See that the server of the image answers, or send the image itself as a `data:` URL.",
  },
  qr_too_fine: {
    cause: "A QR code holds so much that its modules are smaller than many readers can tell apart.",
    remedy: "Send a shorter text, such as a short link, or give the code more room in the template.",
  },
};
