import { abortable } from "#lib/abortable.ts";

type Flight<T> = { result: Promise<T>; waiting: number; end: AbortController };

/** Aborts work without callers. Work that has finished ignores it. */
const ABANDONED = new Error("All callers have left.");

/** Work that several callers ask for at the same time is done once, for all of them. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /**
   * @param make does the work; its signal aborts once every caller has left
   * @param signal the caller's: it may leave without ending the work of the others
   * @throws whatever `make` throws, for every caller alike, or the signal's reason
   */
  async run(
    key: string,
    make: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T; isShared: boolean }> {
    signal?.throwIfAborted();
    const found = this.#flights.get(key);
    const end = new AbortController();
    const flight = found ?? { result: make(end.signal), waiting: 0, end };
    this.#flights.set(key, flight);
    flight.waiting++;
    try {
      const result = await (signal ? abortable(flight.result, signal) : flight.result);
      return { result, isShared: found !== undefined };
    } finally {
      flight.waiting--;
      if (flight.waiting === 0) {
        this.#flights.delete(key);
        flight.end.abort(signal?.reason ?? ABANDONED);
      }
    }
  }
}
