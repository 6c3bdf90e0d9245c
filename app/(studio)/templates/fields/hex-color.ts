const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])/i;
const LONG = /^#[0-9a-f]{6}/i;

/**
 * Converts a colour for the native picker, which has no short forms and no transparency. Undefined for an invalid
 * colour.
 */
export function pickerColor(text: string): string | undefined {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return undefined;
  return (LONG.exec(text)?.[0] ?? text.replace(/^(#...)./, "$1").replace(SHORT, "#$1$1$2$2$3$3")).toLowerCase();
}

/** Adds a missing `#` to a hex colour, and removes spaces around it. */
export function withHash(text: string): string {
  const [, digits] = /^\s*#?([0-9a-f]{3,8})\s*$/i.exec(text) ?? [];
  return digits === undefined ? text : `#${digits}`;
}
