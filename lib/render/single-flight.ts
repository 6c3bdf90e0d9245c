import { abortable } from "#lib/abortable.ts";

type UnderWay<T> = { result: Promise<T>; waiting: number; end: AbortController };

const NOT_WANTED = new Error("Nobody waits for this any more.");

/** Work that several ask for at once is done once, for all of them. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, UnderWay<T>>();

  /**
   * @param make does the work; its signal aborts when nobody waits for the result any more
   * @param signal of the one who asks, who may leave without ending the work of the others
   * @throws whatever `make` throws, for everyone alike, or the signal's reason
   */
  async run(
    key: string,
    make: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T; isShared: boolean }> {
    signal?.throwIfAborted();
    const found = this.#underWay.get(key);
    const work = found ?? this.#begin(key, make);
    work.waiting++;
    try {
      const result = await (signal ? abortable(work.result, signal) : work.result);
      return { result, isShared: found !== undefined };
    } finally {
      work.waiting--;
      // Whoever asks from here on starts anew: this one is given up, or done.
      if (work.waiting === 0 && this.#underWay.get(key) === work) {
        this.#underWay.delete(key);
        work.end.abort(signal?.reason ?? NOT_WANTED);
      }
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const end = new AbortController();
    const work = { result: make(end.signal), waiting: 0, end };
    const forget = () => {
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
    };
    work.result.then(forget, forget);
    this.#underWay.set(key, work);
    return work;
  }
}
