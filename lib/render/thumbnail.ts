import { createHash } from "node:crypto";
import { VERSION } from "#lib/config.ts";
import { sharp } from "#lib/sharp.ts";
import type { Template } from "#lib/templates/template.ts";
import { displayPictures } from "./display-pictures.ts";
import { engineFingerprint } from "./engine.ts";
import { requireRenderConfig } from "./render-config.ts";
import { findVariant, renderVariant } from "./render-template.ts";

/**
 * Measured on the shipped templates at 640 pixels: a quarter of the bytes of PNG, without a visible difference. Smart
 * subsampling keeps chroma sharp, because cards contain much coloured text.
 */
const WEBP = { quality: 86, smartSubsample: true, effort: 4 };

export type Thumbnail = {
  /** Changes with everything that the picture is made of. */
  etag: string;
  /** The bytes: of a template WebP, at most as wide as it. Callers take turns. @throws as `renderTemplate` */
  picture(asked: { signal: AbortSignal; caller: string }): Promise<Buffer>;
};

async function keyOf({
  template,
  variant,
  width,
}: {
  template: Template;
  variant: string;
  width: number;
}): Promise<string> {
  const engine = await engineFingerprint(requireRenderConfig());
  const parts = [VERSION, engine, WEBP, template.slug, template.hash, variant, width];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

async function shrink(png: Buffer, width: number): Promise<Buffer> {
  return await sharp(png).resize({ width, kernel: "lanczos3" }).webp(WEBP).toBuffer();
}

/**
 * A small picture of a variant with its own content. It is rendered when `picture` is called, unless it is cached.
 * @throws AppError `unknown_template`, `unknown_variant` or `misconfigured`
 */
export async function findThumbnail(asked: {
  slug: string;
  variant?: string | undefined;
  width: number;
}): Promise<Thumbnail> {
  const { template, variant } = await findVariant(asked.slug, asked.variant);
  // A thumbnail is never wider than its template.
  const width = Math.min(asked.width, template.width);
  const key = await keyOf({ template, variant, width });
  return {
    etag: `"${key}"`,
    picture: (asked) =>
      displayPictures.get().get({
        ...asked,
        key,
        render: async (options) => await shrink(await renderVariant(template, variant, options), width),
      }),
  };
}
