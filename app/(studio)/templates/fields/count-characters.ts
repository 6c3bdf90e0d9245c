/** Counts characters as the service does: code points of the composed text. */
export function countCharacters(text: string): number {
  return Array.from(text.normalize("NFC")).length;
}
