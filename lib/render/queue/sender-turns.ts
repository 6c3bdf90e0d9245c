import { loadsOf } from "#lib/addresses/senders.ts";
import type { RenderTask } from "./render-task.ts";

/**
 * The turns of one caller's senders, such as the addresses that ask for links of one key. A sender with one render waits for one of
 * each other sender at most. A picture that several senders wait for is drawn in the first turn that one of them has.
 */
export class SenderTurns {
  /**
   * Senders that wait, in the order of their turns. Those that have had a turn, and those that come, go to the end. If those that come
   * were first, a sender with two renders would wait for as long as enough others send one at a time.
   */
  readonly #order = new Set<string>();

  /**
   * The first task of the sender whose turn it is. It must then wait no more.
   * @param waiting in order of arrival
   * @param without senders that get no turn
   */
  take(waiting: RenderTask[], without: ReadonlySet<string> = new Set()): RenderTask | undefined {
    const senders = new Set(waiting.flatMap((task) => task.senders.names));
    for (const sender of this.#order) if (!senders.has(sender)) this.#order.delete(sender);
    for (const sender of senders) this.#order.add(sender);
    const sender = [...this.#order].find((name) => !without.has(name));
    const next = sender === undefined ? undefined : waiting.find((task) => task.senders.has(sender));
    if (sender === undefined || !next) return undefined;
    this.#order.delete(sender);
    if (waiting.some((task) => task !== next && task.senders.has(sender))) this.#order.add(sender);
    return next;
  }
}

/** Renders with this in common wait for the same: for a browser that explanations may use, or for servers of images. */
export type Kind = Pick<RenderTask, "leavesBrowser" | "fetches">;

const KINDS: readonly Kind[] = [false, true].flatMap((leavesBrowser) =>
  [false, true].map((fetches) => ({ leavesBrowser, fetches })),
);

export function isOfKind(task: RenderTask, { leavesBrowser, fetches }: Kind): boolean {
  return task.leavesBrowser === leavesBrowser && task.fetches === fetches;
}

/** Turns for each kind, so that no render waits for those of another one. A sender with several kinds has a turn in each. */
export function turnsByKind(): Map<Kind, SenderTurns> {
  return new Map(KINDS.map((kind) => [kind, new SenderTurns()]));
}

/**
 * The newest task of the sender that has most of them. See {@link loadsOf} for those that several share.
 * @param tasks in order of arrival
 * @param sender for whom room is made: nothing is taken from a sender that would then have fewer than this one
 */
export function newestOfBusiest(tasks: RenderTask[], sender?: string): RenderTask | undefined {
  const counts = loadsOf(tasks, () => 1);
  const most = Math.max(...counts);
  const own = sender === undefined ? 0 : tasks.filter(({ senders }) => senders.has(sender)).length;
  return sender === undefined || most >= own + 2 ? tasks[counts.lastIndexOf(most)] : undefined;
}
