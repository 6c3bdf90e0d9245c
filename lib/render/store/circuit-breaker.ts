type BreakerOptions = {
  /** Failures in a row after which calls are refused. */
  failures: number;
  /** How long they are refused, in milliseconds. */
  pauseMs: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  /** Called when calls begin to be refused, with the last failure, and when one succeeds again. */
  onOpen: (error: unknown) => void;
  onClose: () => void;
};

/** Stops calls to a dependency that fails. After a pause, one call at a time is let through until one succeeds. */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #failed = 0;
  #pausedUntil = 0;
  #isTrying = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get #isOpen(): boolean {
    return this.#failed >= this.#options.failures;
  }

  /** Runs a call, or skips it while calls are refused. @throws whatever the call throws */
  async run<T>(act: () => Promise<T>): Promise<T | "refused"> {
    if (this.#isOpen && (this.#isTrying || this.#options.now() < this.#pausedUntil)) return "refused";
    const isTrial = this.#isOpen;
    if (isTrial) this.#isTrying = true;
    try {
      const result = await act();
      if (this.#isOpen) this.#options.onClose();
      this.#failed = 0;
      return result;
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      if (isTrial) this.#isTrying = false;
    }
  }

  #fail(error: unknown): void {
    this.#failed++;
    this.#pausedUntil = this.#options.now() + this.#options.pauseMs;
    if (this.#failed === this.#options.failures) this.#options.onOpen(error);
  }
}
