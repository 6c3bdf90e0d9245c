/** A log gets a line after this many pictures. */
const LOG_STEP = 100;
const BAR_CELLS = 24;

/** How many rows had each outcome so far. */
export type Counts = { drawn: number; kept: number; failed: number };

function sumOf({ drawn, kept, failed }: Counts): number {
  return drawn + kept + failed;
}

/** Describes counts as `412 drawn, 20 unchanged, 1 failed`. */
export function describeCounts({ drawn, kept, failed }: Counts): string {
  const write = (count: number) => count.toLocaleString("en");
  const parts = [`${write(drawn)} drawn`, ...(kept > 0 ? [`${write(kept)} unchanged`] : [])];
  return [...parts, ...(failed > 0 ? [`${write(failed)} failed`] : [])].join(", ");
}

function describeTime(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** A progress bar of one line. @param seconds since the start */
export function progressBar(counts: Counts, of: number, seconds: number): string {
  const done = sumOf(counts);
  const filled = Math.round((done / of) * BAR_CELLS);
  const rate = counts.drawn / Math.max(seconds, 1e-3);
  const left = counts.drawn > 0 && done < of ? `, ${describeTime((of - done) / rate)} left` : "";
  const bar = "█".repeat(filled) + "░".repeat(BAR_CELLS - filled);
  return `${bar} ${done} of ${of}: ${describeCounts(counts)}, ${rate.toFixed(1)} a second${left}`;
}

/** Shows progress on standard error: a bar on a terminal, else a line now and then. */
export class Progress {
  readonly #of: number;
  readonly #startedAt = performance.now();
  readonly #stream: NodeJS.WriteStream;

  constructor(of: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#of = of;
    this.#stream = stream;
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  show(counts: Counts): void {
    const done = sumOf(counts);
    if (this.#stream.isTTY) {
      const line = progressBar(counts, this.#of, this.seconds).slice(0, (this.#stream.columns ?? 80) - 1);
      this.#stream.write(`\r\x1b[K${line}${done === this.#of ? "\n" : ""}`);
    } else if (done % LOG_STEP === 0 || done === this.#of) {
      this.#stream.write(`${done} of ${this.#of} rows: ${describeCounts(counts)}\n`);
    }
  }
}
