import { isObject } from "#lib/json-kinds.ts";

/** Where an image comes from: the value itself, or the `src` of an object with how to show it. */
export function imageSource(value: unknown): unknown {
  return isObject(value) && "src" in value ? value.src : value;
}
