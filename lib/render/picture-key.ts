import { createHash } from "node:crypto";
import { isDevelopment, type RenderConfig, VERSION } from "#lib/config.ts";
import { isRemoteImage } from "#lib/images/read-image.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";
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

/** True when an image comes from another server, which may answer with another image next time. */
function isFetched({ template, data }: WantedPicture): boolean {
  const fetches = (fields: Template["fields"], values: unknown): boolean =>
    Object.entries((values ?? {}) as FieldValues).some(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field?.type === "list") return Array.isArray(value) && value.some((item) => fetches(field.item, item));
      return field?.type === "image" && isRemoteImage(value);
    });
  return fetches(template.fields, data);
}

/** A key that changes with everything that can change a pixel; undefined when that is unknown or too long to hash. */
export async function keyOf(wanted: WantedPicture, config: RenderConfig): Promise<string | undefined> {
  const { template, variant, data } = wanted;
  if (isDevelopment() || !isEngineKnown(config) || !isShort(data) || isFetched(wanted)) return undefined;
  const parts = [VERSION, await engineFingerprint(config), template.slug, template.hash, variant, data];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
