/** `1 render`, `1,204 renders`. */
export function countRenders(count: number): string {
  return count === 1 ? "1 render" : `${count.toLocaleString("en")} renders`;
}
