import { isRemoteImage } from "#lib/images/read-image.ts";
import { isObject } from "#lib/json-kinds.ts";
import type { Template } from "../template.ts";

/**
 * Whether a field has an image of another server, which may be slow, or answer with another image next time. The values need not have
 * been checked: lists may have a million items, of which those beyond their maximum are not fetched. Neither are images of the template.
 */
export function fetchesImages(fields: Template["fields"], values: unknown): boolean {
  if (!isObject(values)) return false;
  return Object.entries(fields).some(([name, field]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (field.type === "list")
      return Array.isArray(value) && value.slice(0, field.max).some((item) => fetchesImages(field.item, item));
    return field.type === "image" && isRemoteImage(value);
  });
}
