/** 32 symbols, so that a random byte picks each equally often. Easily confused ones (0 and o, 1 and l) are left out. */
const SYMBOLS = "abcdefghijkmnpqrstuvwxyz23456789";

const GROUPS = 4;
const GROUP_CHARS = 5;

/** Generates a password of 100 bits that is easy to read out: four groups of five symbols. */
export function newPassword(): string {
  const symbols = Array.from(
    crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_CHARS)),
    (byte) => SYMBOLS[byte % SYMBOLS.length],
  );
  return Array.from({ length: GROUPS }, (_, at) =>
    symbols.slice(at * GROUP_CHARS, (at + 1) * GROUP_CHARS).join(""),
  ).join("-");
}
