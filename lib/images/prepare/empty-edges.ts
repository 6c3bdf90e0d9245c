import type { Sample } from "./sample-image.ts";

/** A part of an image, as fractions of its width and height. */
export type Part = { left: number; top: number; right: number; bottom: number };

/** What counts as an empty edge: transparent pixels, or also pixels of the one colour that all corners have. */
export type EmptyEdge = "transparent" | "color";

/** Alpha up to which nothing is seen, of 255. Cut-outs often keep a haze of so much around them. */
const MAX_HAZE = 10;

/** How much a channel may differ from the edge, of 255. JPEG files differ by so much beside contours. */
const MAX_NOISE = 16;

const isVisible = ({ data }: Sample, at: number) => (data[at + 3] ?? 0) > MAX_HAZE;

function isLike({ data }: Sample, at: number, other: number): boolean {
  for (let channel = 0; channel < 4; channel++)
    if (Math.abs((data[at + channel] ?? 0) - (data[other + channel] ?? 0)) > MAX_NOISE) return false;
  return true;
}

/** Tells whether a pixel belongs to the subject. Undefined where the corners have no colour in common. */
function subjectTest(sample: Sample, edge: EmptyEdge): ((at: number) => boolean) | undefined {
  const { width, height } = sample;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].map((pixel) => pixel * 4);
  if (edge === "transparent" || corners.every((at) => !isVisible(sample, at))) return (at) => isVisible(sample, at);
  if (!corners.every((at) => isLike(sample, at, 0))) return undefined;
  return (at) => !isLike(sample, at, 0);
}

/**
 * The part of an image inside its empty edges. Undefined for an image without any, and for one that is nothing else, which is
 * shown as it is.
 */
export function findSubject(sample: Sample, edge: EmptyEdge): Part | undefined {
  const { width, height } = sample;
  const isSubject = subjectTest(sample, edge);
  if (!isSubject) return undefined;
  const isEmptyRow = (y: number) => {
    for (let x = 0; x < width; x++) if (isSubject((y * width + x) * 4)) return false;
    return true;
  };
  let [top, bottom] = [0, height];
  while (top < height && isEmptyRow(top)) top++;
  if (top === height) return undefined;
  while (isEmptyRow(bottom - 1)) bottom--;
  const isEmptyColumn = (x: number) => {
    for (let y = top; y < bottom; y++) if (isSubject((y * width + x) * 4)) return false;
    return true;
  };
  let [left, right] = [0, width];
  while (isEmptyColumn(left)) left++;
  while (isEmptyColumn(right - 1)) right--;
  const isWhole = left === 0 && top === 0 && right === width && bottom === height;
  return isWhole ? undefined : { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
}
