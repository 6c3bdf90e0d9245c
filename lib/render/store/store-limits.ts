/** How long a picture is looked for in the store, in milliseconds. Drawing it takes 20 to 100 ms; a store in the same region answers in 10. */
export const STORE_READ_MS = 250;

/** How long one picture may take to be written. Nobody waits for it. */
export const STORE_WRITE_MS = 5_000;

/** The largest picture that is read or written. The largest of the shipped templates is 3 MB. */
export const STORED_PICTURE_BYTES = 16_000_000;

/** Pictures that are looked for at once. Beyond it they are drawn without a look. */
export const CONCURRENT_READS = 32;

/** Pictures that are written at once, and the bytes of all that wait for it. Beyond them, pictures are not written. */
export const CONCURRENT_WRITES = 4;
export const WAITING_WRITE_BYTES = 32_000_000;

/** Failures in a row after which the store is left alone, and for how long. Then one request finds out whether it answers again. */
export const STORE_FAILURES = 5;
export const STORE_PAUSE_MS = 30_000;

/** The longest list of warnings that is stored beside a picture, in characters of base64url. S3 takes 2 kB of metadata. */
export const STORED_WARNINGS_CHARS = 1_500;
