/** Who needs a connection. Logins wait behind everything else, because strangers can cause any number of them. */
export type Lane = "requests" | "logins";

type Waiting = () => void;

/** Lets a bounded number of tasks run at once. Logins start when nothing else waits, and never hold all places. */
export class Lanes {
  readonly #places: number;
  readonly #loginPlaces: number;
  readonly #waiting: Record<Lane, Waiting[]> = { requests: [], logins: [] };
  #running = 0;
  #runningLogins = 0;

  /** @param places at least 1; with a single one, logins and other tasks take turns on it */
  constructor(places: number) {
    this.#places = places;
    this.#loginPlaces = Math.max(1, Math.floor(places / 2));
  }

  /** How many tasks run and wait now. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.requests.length + this.#waiting.logins.length };
  }

  /** Runs `task` when a place is free. @throws what `task` throws */
  async run<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting[lane].push(start);
      this.#startNext();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      if (lane === "logins") this.#runningLogins--;
      this.#startNext();
    }
  }

  #startNext(): void {
    if (this.#running >= this.#places) return;
    const request = this.#waiting.requests.shift();
    const login = !request && this.#runningLogins < this.#loginPlaces ? this.#waiting.logins.shift() : undefined;
    const next = request ?? login;
    if (!next) return;
    this.#running++;
    if (login) this.#runningLogins++;
    next();
  }
}
