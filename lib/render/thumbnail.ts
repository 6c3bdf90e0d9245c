import { createHash } from "node:crypto";
import { VERSION } from "#lib/config.ts";
import { sharp } from "#lib/sharp.ts";
import type { Template } from "#lib/templates/template.ts";
import { displayPictures } from "./display-pictures.ts";
import { engineFingerprint } from "./engine.ts";
import { requireRenderConfig } from "./render.ts";
import { drawVariant, findVariant } from "./render-template.ts";

/**
 * Measured on the shipped templates at 640 pixels: a quarter of what PNG takes, and nothing to be seen of it. Chroma is kept
 * sharp because cards are full of coloured type.
 */
const WEBP = { quality: 86, smartSubsample: true, effort: 4 };

export type Thumbnail = {
  /** Names everything that the picture is made of. */
  etag: string;
  /** WebP, at most as wide as the template. @throws as `renderTemplate` */
  picture(signal: AbortSignal): Promise<Buffer>;
};

type Wanted = { template: Template; variant: string; width: number };

async function keyOf({ template, variant, width }: Wanted): Promise<string> {
  const engine = await engineFingerprint(requireRenderConfig());
  const parts = [VERSION, engine, WEBP, template.slug, template.hash, variant, width];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

async function shrink(png: Buffer, width: number): Promise<Buffer> {
  return await sharp(png).resize({ width, kernel: "lanczos3" }).webp(WEBP).toBuffer();
}

/**
 * A small picture of a variant, from its own content. Nothing is drawn before it is asked for its picture.
 * @throws AppError `unknown_template`, `unknown_variant` or `misconfigured`
 */
export async function findThumbnail(asked: {
  slug: string;
  variant?: string | undefined;
  width: number;
}): Promise<Thumbnail> {
  const { template, variant } = await findVariant(asked.slug, asked.variant);
  // Those that are wider than the template would all be the same.
  const width = Math.min(asked.width, template.width);
  const key = await keyOf({ template, variant, width });
  return {
    etag: `"${key}"`,
    picture: (signal) =>
      displayPictures.get().get({
        key,
        signal,
        draw: async (options) => await shrink(await drawVariant(template, variant, options), width),
      }),
  };
}
