/** A connection or a task that needs the only session of the database. */
export type SessionUser = {
  /** Does the pending work, with the session to itself. @returns whether it keeps the session for its next work */
  work(): Promise<boolean>;
  hasWork(): boolean;
};

/** Gives the one session of the database to one user at a time, in the order of their requests. */
export class SessionQueue {
  readonly #beforeTurn: () => void;
  #waiting: SessionUser[] = [];
  #holder: SessionUser | undefined;
  #running = Promise.resolve();
  #isRunning = false;
  #isClosed = false;

  constructor(beforeTurn: () => void) {
    this.#beforeTurn = beforeTurn;
  }

  /** Adds a user that has work, unless it waits or holds the session already. */
  add(user: SessionUser): void {
    if (this.#isClosed) return;
    if (user !== this.#holder && !this.#waiting.includes(user)) this.#waiting.push(user);
    // An error is not caught: it ends the thread, because the state of the session is unknown.
    if (!this.#isRunning) this.#running = this.#run();
  }

  /** Starts no more turns, and waits for the current one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let user = this.#next(); user; user = this.#next()) {
      this.#beforeTurn();
      const keepsSession = await user.work();
      this.#holder = keepsSession ? user : undefined;
      if (!keepsSession && user.hasWork()) this.#waiting.push(user);
    }
    this.#isRunning = false;
  }

  /** While a user holds the session, all others wait, even when the holder has no work yet. */
  #next(): SessionUser | undefined {
    if (this.#isClosed) return undefined;
    if (this.#holder) return this.#holder.hasWork() ? this.#holder : undefined;
    this.#holder = this.#waiting.shift();
    return this.#holder;
  }
}
