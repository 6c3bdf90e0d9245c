/** A text among all others in their order. */
type Sorted = {
  text: string;
  /** The lowest place in the given list of this text and of all that it begins with. */
  first: number;
  /** The longest other text that it begins with. */
  beginning: Sorted | undefined;
  /** How many other texts it begins with. */
  depth: number;
  /** A shorter one of these, so that the right one is found in few steps: see {@link jumpFrom}. */
  jump: Sorted | undefined;
};

const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Where to jump from a text with this beginning. With these jumps, any text that a text begins with is reached in few steps: their number
 * grows with the logarithm of the depth.
 * @see https://doi.org/10.1016/0020-0190(83)90106-0 (Myers: An applicative random-access stack)
 */
function jumpFrom(beginning: Sorted | undefined): Sorted | undefined {
  const next = beginning?.jump;
  if (!beginning || !next) return beginning;
  const depthOfLast = next.jump?.depth ?? -1;
  return beginning.depth - next.depth === next.depth - depthOfLast ? next.jump : beginning;
}

function sort(texts: readonly string[]): Sorted[] {
  const sorted: Sorted[] = [];
  const places = Array.from(texts.keys()).toSorted((a, b) => before(texts[a] ?? "", texts[b] ?? "") || a - b);
  for (const place of places) {
    const text = texts[place] ?? "";
    let beginning = sorted.at(-1);
    while (beginning && !text.startsWith(beginning.text)) beginning = beginning.beginning;
    const [first, depth] = [Math.min(place, beginning?.first ?? place), (beginning?.depth ?? -1) + 1];
    sorted.push({ text, first, beginning, depth, jump: jumpFrom(beginning) });
  }
  return sorted;
}

/** The last of the sorted texts that does not come after a text. Whichever of them the text begins with, this one begins with it too. */
function lastUpTo(text: string, sorted: readonly Sorted[]): Sorted | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle]?.text ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/** The longest of the sorted texts that a text begins with. */
function beginningOf(text: string, sorted: readonly Sorted[]): Sorted | undefined {
  const fits = ({ text: other }: Sorted) => text.startsWith(other);
  let found = lastUpTo(text, sorted);
  while (found && !fits(found)) found = found.jump && !fits(found.jump) ? found.jump : found.beginning;
  return found;
}

/**
 * Looks for these texts within others, without comparing them in pairs: a picture may have ten thousand values and ten thousand texts.
 * @param texts none of them is empty
 * @returns tells which of them another text contains: the index of the first one, or undefined
 */
export function containedTexts(texts: readonly string[]): (whole: string) => number | undefined {
  const sorted = sort(texts);
  return (whole) => {
    let first: number | undefined;
    for (let at = 0; at < whole.length; at++) {
      const found = beginningOf(whole.slice(at), sorted);
      if (found) first = Math.min(found.first, first ?? found.first);
    }
    return first;
  };
}
