import type { RenderTask } from "./render-task.ts";

/**
 * The turns of one caller's senders, such as the addresses that ask for links of one key. A sender with one render waits for one of
 * each other sender at most.
 */
export class SenderTurns {
  /** Senders that had a turn and still wait, the latest last. */
  readonly #served = new Set<string>();

  /**
   * Takes the first task of the sender whose turn it is out of `waiting`, which is in order of arrival.
   * @param without senders that get no turn
   */
  take(waiting: RenderTask[], without: ReadonlySet<string> = new Set()): RenderTask | undefined {
    const senders = new Set(waiting.map(({ sender }) => sender));
    for (const sender of this.#served) if (!senders.has(sender)) this.#served.delete(sender);
    const longestAgo = [...this.#served].find((sender) => !without.has(sender));
    const isNext = ({ sender }: RenderTask) => !this.#served.has(sender) && !without.has(sender);
    const next = waiting.find(isNext) ?? waiting.find(({ sender }) => sender === longestAgo);
    if (!next) return undefined;
    waiting.splice(waiting.indexOf(next), 1);
    this.#served.delete(next.sender);
    this.#served.add(next.sender);
    return next;
  }
}

/**
 * The newest task of the sender that has most of them.
 * @param tasks in order of arrival
 * @param sender for whom room is made: nothing is taken from a sender that would then have fewer than this one
 */
export function newestOfBusiest(tasks: RenderTask[], sender?: string): RenderTask | undefined {
  const bySender = Map.groupBy(tasks, (task) => task.sender);
  const [busiest = []] = [...bySender.values()].toSorted((a, b) => b.length - a.length);
  const isGreedier = sender === undefined || busiest.length >= (bySender.get(sender)?.length ?? 0) + 2;
  return isGreedier ? busiest.at(-1) : undefined;
}
