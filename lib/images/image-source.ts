/** Where an image comes from: the value itself, or the `src` of an object with how to show it. */
export function imageSource(value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && "src" in value ? value.src : value;
}
