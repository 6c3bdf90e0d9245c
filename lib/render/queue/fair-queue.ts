import { FairClock, type Share } from "#lib/fair-clock.ts";
import { imagesFor } from "#lib/images/render-images.ts";
import { PROBE_CALLER } from "#lib/render/readiness.ts";
import type { RenderJob } from "#lib/render/render-job.ts";
import { DRAW_MS, DRAW_MS_PER_PIXEL, SENDERS_AHEAD } from "#lib/render/render-limits.ts";
import { costliest, imagesMs } from "./costliest.ts";
import { RecentUse, SendersUse } from "./recent-use.ts";
import type { RenderTask } from "./render-task.ts";
import { isOfKind, type Kind, newestOfBusiest, type SenderTurns, turnsByKind } from "./sender-turns.ts";

/**
 * The caller that all pictures of the service's own pages count as. It takes turns like any other, but takes no places: its
 * renders displace no request. `display-pictures.ts` asks for few of them at a time.
 */
export const PAGES_CALLER = "pages";

/** Callers that take no places. A probe that found the queue full would report a working service as not ready. */
const PLACELESS = new Set<string | undefined>([undefined, PAGES_CALLER, PROBE_CALLER]);

/** @param caller undefined where there is none */
export function takesPlace(caller: string | undefined): boolean {
  return !PLACELESS.has(caller);
}

/** A task whose document is made, since when it waits for a browser by `performance.now()`, and its share of the browsers' time. */
export type Prepared = { task: RenderTask; job: RenderJob; readyAt: number; share: Share };

/** The tasks of one caller, each list in order of arrival. */
type Line = { waiting: RenderTask[]; turns: Map<Kind, SenderTurns>; preparing: Set<RenderTask>; ready: Prepared[] };

const byEnd = ({ share: a }: Prepared, { share: b }: Prepared) => a.endsAt - b.endsAt;

const emptyLine = (): Line => ({ waiting: [], turns: turnsByKind(), preparing: new Set(), ready: [] });

/** A picture of 17 megapixels takes about 0.15 s, and one that shows an image of 50 megapixels about 0.4 s. */
function estimateMs({ images }: RenderTask, { width, height }: RenderJob): number {
  return DRAW_MS + width * height * DRAW_MS_PER_PIXEL + imagesMs(images);
}

function sizeOf(line: Line | undefined): number {
  return line ? line.waiting.length + line.preparing.size + line.ready.length : 0;
}

/**
 * The tasks of a line that can give up their place, in order of arrival. A task that is over cannot: its place is free only when its
 * preparation has ended.
 */
function displaceable({ waiting, preparing, ready }: Line): RenderTask[] {
  const unfinished = [...preparing].filter(({ isOver }) => !isOver);
  return [...unfinished, ...ready.map(({ task }) => task), ...waiting];
}

/**
 * Renders that wait for a browser, in one line for each caller. Callers share the browsers' time: a caller with one render waits
 * for one of each other caller at most, however many those have, and not for those that take longer than its own. Only the first
 * few renders of a line are prepared, so that a long line does not delay the preparation of others either. Each kind counts apart, so
 * that neither a server that does not answer nor many explanations delay renders without them.
 */
export class FairQueue {
  readonly #lines = new Map<string, Line>();
  readonly #clock = new FairClock();
  readonly #use = new RecentUse();
  readonly #sendersUse = new SendersUse();
  /** When each task that waits was given its place. */
  readonly #since = new Map<RenderTask, number>();
  readonly #ahead: number;
  readonly #onReady: () => void;

  /**
   * @param ahead how many renders of each kind are prepared for one caller before their turn
   * @param onReady called whenever a preparation has ended
   */
  constructor({ ahead, onReady }: { ahead: number; onReady: () => void }) {
    this.#ahead = ahead;
    this.#onReady = onReady;
  }

  /** How many renders wait. */
  get size(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + sizeOf(line), 0);
  }

  /** How many places are taken. An abandoned render keeps its place until its preparation has really ended. */
  get placesTaken(): number {
    return [...this.#lines].reduce((sum, [caller, line]) => sum + (takesPlace(caller) ? sizeOf(line) : 0), 0);
  }

  /** What waits for a browser. */
  get prepared(): Prepared[] {
    return [...this.#lines.values()].flatMap(({ ready }) => ready);
  }

  enter(task: RenderTask): void {
    const line = this.#lineOf(task.caller);
    line.waiting.push(task);
    this.#since.set(task, performance.now());
    task.senders.onJoin = () => this.#prepareNext(this.#lines.get(task.caller));
    this.#prepareNext(line);
  }

  /** Frees the task's place, unless the task is being prepared. */
  leave(task: RenderTask): void {
    this.#countWait(task);
    const line = this.#lines.get(task.caller);
    if (!line) return;
    line.waiting = line.waiting.filter((other) => other !== task);
    const prepared = line.ready.find((other) => other.task === task);
    if (prepared) this.#drop(line, prepared);
    this.#tidy(task.caller, line);
    this.#prepareNext(line);
  }

  /**
   * Takes the prepared task that would end first by the clock.
   * @param mayBegin whether a browser is free for a task; of each caller, the first that may begin is considered
   * @returns undefined when there is none
   */
  take(mayBegin: (task: RenderTask) => boolean): Prepared | undefined {
    const firsts = [...this.#lines.values()].flatMap(({ ready }) => ready.find(({ task }) => mayBegin(task)) ?? []);
    const [next] = firsts.toSorted(byEnd);
    if (!next) return undefined;
    const { caller } = next.task;
    this.#countWait(next.task);
    const line = this.#lineOf(caller);
    line.ready.splice(line.ready.indexOf(next), 1);
    this.#prepareNext(line);
    this.#tidy(caller, line);
    return next;
  }

  /** Puts a taken task back as the first of its caller, because its browser was lost. */
  putBack(prepared: Prepared): void {
    this.#lineOf(prepared.task.caller).ready.unshift(prepared);
  }

  /** Counts what a task has cost, because no browser will work on it any more. */
  end({ task, share }: Prepared): void {
    this.#clock.end(share, task.browserMs);
    this.#use.add(task.caller, task.browserMs);
  }

  /**
   * Makes room for `caller`: the caller with the most places loses its newest one, but only while it keeps at least as many
   * as `caller` then has. So one caller alone may fill the queue, and none can keep others out. Where each has one place, the
   * costliest gives its place to a caller with none: see {@link costliest}. The same goes for the senders of a caller.
   * @returns the displaced task, which is to be rejected; undefined when there is none
   */
  displaceFor(caller: string, sender = ""): RenderTask | undefined {
    const line = this.#lines.get(caller);
    const own = sizeOf(line);
    const lines = [...this.#lines].filter(([other]) => takesPlace(other)).map(([, line]) => displaceable(line));
    const [most = []] = lines.toSorted((a, b) => b.length - a.length);
    const isEqual = most.length < own + 2;
    const ofOwn = () => line && this.#ofSender(displaceable(line), { caller, sender });
    const useOf = (task: RenderTask) => this.#use.of(task.caller);
    const ofEqual = () => (own > 0 ? ofOwn() : costliest(lines.flat(), { useOf, ownMs: this.#use.of(caller) }));
    const displaced = isEqual ? ofEqual() : newestOfBusiest(most);
    // A task that is being prepared frees its place soon after it is rejected, when its preparation ends.
    if (displaced) this.leave(displaced);
    return displaced;
  }

  /** Makes room within a caller for one of its senders, by the same rules. */
  #ofSender(tasks: RenderTask[], { caller, sender }: { caller: string; sender: string }): RenderTask | undefined {
    const busiest = newestOfBusiest(tasks, sender);
    if (busiest || tasks.some(({ senders }) => senders.has(sender))) return busiest;
    const useOf = (task: RenderTask) => this.#sendersUse.of(task.caller, task.senders.names);
    return costliest(tasks, { useOf, ownMs: this.#sendersUse.of(caller, [sender]) });
  }

  /** Removes every task that is not being prepared. */
  clear(): RenderTask[] {
    return [...this.#lines].flatMap(([caller, line]) => {
      const tasks = [...line.ready.map(({ task }) => task), ...line.waiting.splice(0)];
      for (const prepared of line.ready) this.#drop(line, prepared);
      this.#tidy(caller, line);
      return tasks;
    });
  }

  /**
   * Counts the time for which a task has held a place as use of its caller, once. Renders that never reach a browser, because they
   * are invalid or their clients disconnect, would otherwise hold places for nothing.
   */
  #countWait(task: RenderTask): void {
    const since = this.#since.get(task);
    if (since !== undefined) {
      this.#use.add(task.caller, performance.now() - since);
      this.#sendersUse.add(task.caller, task.senders.names, performance.now() - since);
    }
    this.#since.delete(task);
  }

  #drop(line: Line, prepared: Prepared): void {
    line.ready = line.ready.filter((other) => other !== prepared);
    this.end(prepared);
  }

  #lineOf(caller: string): Line {
    const line = this.#lines.get(caller) ?? emptyLine();
    this.#lines.set(caller, line);
    return line;
  }

  #tidy(caller: string, line: Line): void {
    if (sizeOf(line) === 0) this.#lines.delete(caller);
  }

  #prepareNext(line: Line | undefined): void {
    for (const [kind, turns] of line?.turns ?? []) if (line) this.#prepareNextOf(line, { kind, turns });
  }

  #prepareNextOf(line: Line, { kind, turns }: { kind: Kind; turns: SenderTurns }): void {
    const ofKind = (tasks: RenderTask[]) => tasks.filter((task) => isOfKind(task, kind));
    while (line.waiting.length > 0) {
      const begun = ofKind([...line.preparing, ...line.ready.map(({ task }) => task)]);
      if (begun.length >= this.#ahead + SENDERS_AHEAD) return;
      const without = begun.length < this.#ahead ? [] : begun.flatMap(({ senders }) => senders.names);
      const task = turns.take(ofKind(line.waiting), new Set(without));
      if (!task) return;
      line.waiting.splice(line.waiting.indexOf(task), 1);
      // When several clients disconnect at once, this may reach a task that is over and has not left the queue yet.
      if (!task.isOver) void this.#prepare(line, task);
    }
  }

  async #prepare(line: Line, task: RenderTask): Promise<void> {
    line.preparing.add(task);
    task.stamp("queue");
    try {
      const job = await imagesFor(task.images, () => task.prepare(task.signal));
      task.stamp("compose");
      const readyAt = performance.now();
      const share = () => this.#clock.enter(task.caller, estimateMs(task, job));
      if (!task.isOver) line.ready.push({ task, job, readyAt, share: share() });
    } catch (error) {
      task.reject(error);
    } finally {
      line.preparing.delete(task);
    }
    this.#tidy(task.caller, line);
    this.#prepareNext(line);
    this.#onReady();
  }
}
