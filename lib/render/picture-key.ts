import { createHash } from "node:crypto";
import { isDevelopment, type RenderConfig, VERSION } from "#lib/config.ts";
import { fetchesImages } from "#lib/templates/images/fetches-images.ts";
import type { WantedPicture } from "./draw-template.ts";
import { engineFingerprint, isEngineKnown } from "./engine.ts";
import { KEYED_DATA_CHARS } from "./render-limits.ts";

/** True when all texts together are short enough to be hashed for a key. Stops reading once the limit is exceeded. */
function isShort(value: unknown, left = { chars: KEYED_DATA_CHARS }): boolean {
  if (typeof value === "string") left.chars -= value.length;
  else if (typeof value === "object" && value !== null)
    return Object.entries(value).every(([name, inner]) => isShort(name, left) && isShort(inner, left));
  return --left.chars >= 0;
}

/** A key that changes with everything that can change a pixel; undefined when that is unknown or too long to hash. */
export async function keyOf(wanted: WantedPicture, config: RenderConfig): Promise<string | undefined> {
  const { template, variant, data } = wanted;
  if (isDevelopment() || !isEngineKnown(config) || !isShort(data)) return undefined;
  if (fetchesImages(template.fields, data)) return undefined;
  const parts = [VERSION, await engineFingerprint(config), template.slug, template.hash, variant, data];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
