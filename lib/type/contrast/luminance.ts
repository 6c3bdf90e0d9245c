const MAX = 255;

/** The share of light of each value of a channel; https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const LINEAR = Float64Array.from({ length: MAX + 1 }, (_, value) => {
  const share = value / MAX;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/**
 * The relative luminance of a colour, from 0 to 1, by a table: pictures have too many pixels for a colour library.
 * @param red 0 to 255, as the other two
 */
export function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0);
}
