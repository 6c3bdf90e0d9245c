import type { RenderTask } from "./render-task.ts";

/**
 * The turns of one caller's senders, such as the addresses that ask for links of one key. A sender with one render waits for one of
 * each other sender at most.
 */
export class SenderTurns {
  /**
   * Senders that wait, in the order of their turns. Those that have had a turn, and those that come, go to the end. If those that come
   * were first, a sender with two renders would wait for as long as enough others send one at a time.
   */
  readonly #order = new Set<string>();

  /**
   * Takes the first task of the sender whose turn it is out of `waiting`, which is in order of arrival.
   * @param without senders that get no turn
   */
  take(waiting: RenderTask[], without: ReadonlySet<string> = new Set()): RenderTask | undefined {
    const senders = new Set(waiting.map(({ sender }) => sender));
    for (const sender of this.#order) if (!senders.has(sender)) this.#order.delete(sender);
    for (const sender of senders) this.#order.add(sender);
    const next = [...this.#order].find((sender) => !without.has(sender));
    const task = waiting.find(({ sender }) => sender === next);
    if (!task) return undefined;
    waiting.splice(waiting.indexOf(task), 1);
    this.#order.delete(task.sender);
    if (waiting.some(({ sender }) => sender === task.sender)) this.#order.add(task.sender);
    return task;
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
