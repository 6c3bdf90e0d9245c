/**
 * Characters that values may add to a document where it shows them again, as a logo in each item of a list. Each costs 10 to 25 ns of the
 * server's own thread and 10 bytes of its memory: a photograph of 1 MB in a hundred items took 2.8 s and 0.7 GB. The largest images of a
 * request can still be shown three times.
 */
export const REPEATED_CHARS = 30_000_000;

/** Thrown for the value with which a document has more repeated characters than {@link REPEATED_CHARS}. */
export class RepeatedValue extends Error {
  override name = "RepeatedValue";
  readonly value: string;

  constructor(value: string) {
    super(
      `The template shows values again and again, ${REPEATED_CHARS} characters in all. Want smaller images, or fewer of them.`,
    );
    this.value = value;
  }
}

/** Counts the characters of the values of one document that it shows a second time and more. */
export class RepeatedValues {
  readonly #seen = new Set<string>();
  #chars = 0;

  /** @throws RepeatedValue */
  add(value: string): void {
    if (!this.#seen.has(value)) {
      this.#seen.add(value);
      return;
    }
    this.#chars += value.length;
    if (this.#chars > REPEATED_CHARS) throw new RepeatedValue(value);
  }
}
