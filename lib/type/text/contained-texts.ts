/** A text among all others in their order. `begins`: the longest other text that it begins with. */
type Sorted = {
  text: string;
  /** The lowest place in the given list of this text and of all that it begins with. */
  first: number;
  begins: Sorted | undefined;
};

const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function sort(texts: readonly string[]): Sorted[] {
  const sorted: Sorted[] = [];
  const places = Array.from(texts.keys()).toSorted((a, b) => before(texts[a] ?? "", texts[b] ?? "") || a - b);
  for (const place of places) {
    const text = texts[place] ?? "";
    let begins = sorted.at(-1);
    while (begins && !text.startsWith(begins.text)) begins = begins.begins;
    sorted.push({ text, first: Math.min(place, begins?.first ?? place), begins });
  }
  return sorted;
}

/** The last of the sorted texts that is not behind a text: whatever the text begins with, this one begins with too. */
function lastUpTo(text: string, sorted: readonly Sorted[]): Sorted | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle]?.text ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/**
 * Returns a function that tells the place of the first of these texts, none of which is empty, that another text contains, or undefined.
 * A picture may have ten thousand values and ten thousand texts, so they are not compared in pairs.
 */
export function containedTexts(texts: readonly string[]): (whole: string) => number | undefined {
  const sorted = sort(texts);
  return (whole) => {
    let first: number | undefined;
    for (let at = 0; at < whole.length; at++) {
      const rest = whole.slice(at);
      let found = lastUpTo(rest, sorted);
      while (found && !rest.startsWith(found.text)) found = found.begins;
      if (found) first = Math.min(found.first, first ?? found.first);
    }
    return first;
  };
}
