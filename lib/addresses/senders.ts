/** How many senders that wait for the same picture are told apart. All further ones count as the first: each is looked at for each turn. */
export const SENDERS_TOLD_APART = 100;

/**
 * Those who wait for one picture: several may share it. Each of them may leave, and others may come while the picture waits for its turn.
 */
export class Senders {
  /** How many requests of each sender wait. */
  readonly #requests = new Map<string, number>();
  /** Called when a sender comes. Its turn may be earlier than that of the others. */
  onJoin: () => void = () => undefined;

  get names(): string[] {
    return [...this.#requests.keys()];
  }

  has(sender: string): boolean {
    return this.#requests.has(sender);
  }

  /** @returns the name that the request counts under, for {@link remove} */
  add(sender: string): string {
    const [first = sender] = this.#requests.size < SENDERS_TOLD_APART ? [] : this.#requests.keys();
    const name = this.has(sender) ? sender : first;
    const isNew = !this.has(name);
    this.#requests.set(name, (this.#requests.get(name) ?? 0) + 1);
    if (isNew) this.onJoin();
    return name;
  }

  /** @returns whether nobody waits any more */
  remove(name: string): boolean {
    const left = (this.#requests.get(name) ?? 0) - 1;
    if (left > 0) this.#requests.set(name, left);
    else this.#requests.delete(name);
    return this.#requests.size === 0;
  }
}

export function onlySender(sender = ""): Senders {
  const senders = new Senders();
  senders.add(sender);
  return senders;
}

/**
 * What each of `items` counts for its senders: the sum of what all of a sender's items weigh. Where several senders share an item, that of
 * the one that has least, so that nobody loses an item because a greedy sender shares it.
 */
export function loadsOf<T extends { senders: Senders }>(items: T[], weigh: (item: T) => number): number[] {
  const sums = new Map<string, number>();
  for (const item of items) for (const name of item.senders.names) sums.set(name, (sums.get(name) ?? 0) + weigh(item));
  return items.map(({ senders }) => Math.min(...senders.names.map((name) => sums.get(name) ?? 0)));
}
