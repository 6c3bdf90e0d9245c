/** 32 of them, so that a byte picks each as often; without those that are read as another (0 and o, 1 and l). */
const SYMBOLS = "abcdefghijkmnpqrstuvwxyz23456789";

const GROUPS = 4;
const GROUP_CHARS = 5;

/** A password that can be read out over the phone: four groups of five symbols, 100 bits. */
export function newPassword(): string {
  const symbols = Array.from(
    crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_CHARS)),
    (byte) => SYMBOLS[byte % SYMBOLS.length],
  );
  return Array.from({ length: GROUPS }, (_, at) =>
    symbols.slice(at * GROUP_CHARS, (at + 1) * GROUP_CHARS).join(""),
  ).join("-");
}
