/** Somebody who wants the only session that the database has. */
export type Guest = {
  /** Does what there is to do, with the session to itself. @returns whether it must keep the session for what comes next */
  work(): Promise<boolean>;
  hasWork(): boolean;
};

/** Gives the one session of the database to one guest at a time, in the order of their wishes. */
export class Turns {
  readonly #attend: (guest: Guest) => Promise<boolean>;
  #waiting: Guest[] = [];
  #holder: Guest | undefined;
  #running = Promise.resolve();
  #isRunning = false;
  #isClosed = false;

  /** @param onTurn called before each turn */
  constructor(onTurn: () => void) {
    this.#attend = (guest) => {
      onTurn();
      return guest.work();
    };
  }

  /** Says that a guest has work, if it has not said so before. */
  want(guest: Guest): void {
    if (this.#isClosed) return;
    if (guest !== this.#holder && !this.#waiting.includes(guest)) this.#waiting.push(guest);
    // A guest that fails ends the thread: the session is in an unknown state.
    if (!this.#isRunning) this.#running = this.#run();
  }

  /** Lets nobody begin any more, and waits for who is at work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let guest = this.#next(); guest; guest = this.#next()) {
      const keeps = await this.#attend(guest);
      this.#holder = keeps ? guest : undefined;
      if (!keeps && guest.hasWork()) this.#waiting.push(guest);
    }
    this.#isRunning = false;
  }

  /** Nobody comes before a holder that has nothing to say yet. */
  #next(): Guest | undefined {
    if (this.#isClosed) return undefined;
    if (this.#holder) return this.#holder.hasWork() ? this.#holder : undefined;
    this.#holder = this.#waiting.shift();
    return this.#holder;
  }
}
