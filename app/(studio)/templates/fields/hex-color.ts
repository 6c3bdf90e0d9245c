const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])/i;
const LONG = /^#[0-9a-f]{6}/i;

/** A colour as the browser's picker takes it, which knows neither short forms nor transparency. Undefined for what is none. */
export function pickerColor(text: string): string | undefined {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return undefined;
  return (LONG.exec(text)?.[0] ?? text.replace(/^(#...)./, "$1").replace(SHORT, "#$1$1$2$2$3$3")).toLowerCase();
}

/** What is typed or pasted, with the `#` that many leave out. */
export function withHash(text: string): string {
  return /^[0-9a-f]{3,8}$/i.test(text.trim()) ? `#${text.trim()}` : text;
}
