import type { RenderJob } from "#lib/render/chromium/page.ts";
import type { RenderTask } from "./render-task.ts";

/**
 * Whose turn the service's own pages take: however many of them ask, they count as one. They have no place in the room, so
 * that their pictures can take nobody's; those who draw them see to it that only a few are asked for at a time.
 */
export const PAGES = "pages";

/** A render whose document is made. */
export type Prepared = { task: RenderTask; job: RenderJob };

/** The renders of one caller, in the order in which they came. */
type Line = { waiting: RenderTask[]; preparing: number; ready: Prepared[] };

function sizeOf(line: Line | undefined): number {
  return line ? line.waiting.length + line.preparing + line.ready.length : 0;
}

/**
 * Where renders wait for a browser: in one line for each caller. Callers take turns, so that whoever has asked for one picture
 * waits for one of each other caller at most, however many those have asked for. Of each line only the first few are
 * prepared, for the same reason.
 */
export class FairQueue {
  /** In the order of turns: the first caller's is next. */
  readonly #lines = new Map<string, Line>();
  readonly #ahead: number;
  readonly #onReady: () => void;

  /** @param ahead how many renders of one caller are prepared before their turn */
  constructor({ ahead, onReady }: { ahead: number; onReady: () => void }) {
    this.#ahead = ahead;
    this.#onReady = onReady;
  }

  /** How many renders wait here. */
  get size(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + sizeOf(line), 0);
  }

  /** How many of them have a place. One that is given up keeps it until the work for it has really ended. */
  get placesTaken(): number {
    return this.size - sizeOf(this.#lines.get(PAGES));
  }

  enter(task: RenderTask): void {
    const line = this.#lines.get(task.caller) ?? { waiting: [], preparing: 0, ready: [] };
    this.#lines.set(task.caller, line);
    line.waiting.push(task);
    this.#prepareNext(line);
  }

  /** Gives its place back, unless it is being prepared. */
  leave(task: RenderTask): void {
    const line = this.#lines.get(task.caller);
    if (!line) return;
    line.waiting = line.waiting.filter((other) => other !== task);
    line.ready = line.ready.filter((other) => other.task !== task);
    this.#tidy(task.caller, line);
    this.#prepareNext(line);
  }

  get hasReady(): boolean {
    return [...this.#lines.values()].some(({ ready }) => ready.length > 0);
  }

  /** Whose turn it is, of those who are ready. The caller goes to the end of the turns. @throws Error when nobody is */
  take(): Prepared {
    for (const [caller, line] of this.#lines) {
      const prepared = line.ready.shift();
      if (!prepared) continue;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      this.#prepareNext(line);
      this.#tidy(caller, line);
      return prepared;
    }
    throw new Error("Nobody is ready to be drawn.");
  }

  /** Its browser was lost: it is next of its line. */
  putBack(prepared: Prepared): void {
    const line = this.#lines.get(prepared.task.caller) ?? { waiting: [], preparing: 0, ready: [] };
    this.#lines.set(prepared.task.caller, line);
    line.ready.unshift(prepared);
  }

  /**
   * Makes room for `caller`: whoever has most places loses the newest, as long as that leaves it no fewer than `caller` has
   * then. So one alone may fill the room, and none may keep others out.
   * @returns who is to be told, or undefined where nobody has too many
   */
  displaceFor(caller: string): RenderTask | undefined {
    const own = sizeOf(this.#lines.get(caller));
    const withPlaces = [...this.#lines].filter(([other]) => other !== PAGES);
    const [[other, line] = []] = withPlaces.toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    if (other === undefined || line === undefined || sizeOf(line) < own + 2) return undefined;
    const displaced = line.waiting.pop() ?? line.ready.pop()?.task;
    this.#tidy(other, line);
    return displaced;
  }

  /** Everyone leaves whose document is not in the making. */
  clear(): RenderTask[] {
    return [...this.#lines].flatMap(([caller, line]) => {
      const tickets = [...line.ready.splice(0).map(({ task }) => task), ...line.waiting.splice(0)];
      this.#tidy(caller, line);
      return tickets;
    });
  }

  #tidy(caller: string, line: Line): void {
    if (sizeOf(line) === 0 && this.#lines.get(caller) === line) this.#lines.delete(caller);
  }

  #prepareNext(line: Line): void {
    while (line.preparing + line.ready.length < this.#ahead) {
      const task = line.waiting.shift();
      if (!task) return;
      void this.#prepare(line, task);
    }
  }

  async #prepare(line: Line, task: RenderTask): Promise<void> {
    line.preparing++;
    task.stamp("queue");
    try {
      const job = await task.prepare(task.signal);
      task.stamp("compose");
      if (!task.isOver) line.ready.push({ task, job });
    } catch (error) {
      task.reject(error);
    } finally {
      line.preparing--;
    }
    this.#tidy(task.caller, line);
    this.#prepareNext(line);
    this.#onReady();
  }
}
