/** Items of a list with a React key each: their texts, of which equal ones are numbered. */
export function withKeys<Item>(items: Item[], textOf: (item: Item) => string): { key: string; item: Item }[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return { key: `${count} ${text}`, item };
  });
}
