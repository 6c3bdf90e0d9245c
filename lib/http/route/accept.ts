/** How well a media range fits a type: 2 for `text/csv` itself, 1 for `text/*`, 0 for a range of all types, -1 for another type. */
function specificityOf(range: string, type: string): number {
  return ["*/*", `${type.split("/")[0]}/*`, type].lastIndexOf(range);
}

/** The weight of a type by the most specific range that fits it (RFC 9110, section 12.5.1). 0 when there is none. */
function weightOf(accept: string, type: string): number {
  const ranges = accept.split(",").map((text) => {
    const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return { specificity: specificityOf(range, type), quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
  const [best] = ranges.filter((range) => range.specificity >= 0).toSorted((a, b) => b.specificity - a.specificity);
  return best?.quality ?? 0;
}

/** The media type that a client prefers. The first one where it has no preference. */
export function preferredType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  if (accept === null) return offered[0];
  return offered.reduce((best, type) => (weightOf(accept, type) > weightOf(accept, best) ? type : best));
}
