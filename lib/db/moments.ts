/** A time as PostgreSQL writes it, in a year that JavaScript reads as the same one. It reads the year 50 as 1950. */
const ORDINARY = /^[12]\d{3}-.*[+-]\d\d(?::\d\d)?$/;

const LATER = /^(?:infinity|[3-9]|\d{5})/;

/**
 * The text of a time, for JavaScript. PostgreSQL also has `infinity`, `-infinity` and years with five digits or before Christ, which a
 * restored or edited row may hold. A whole list would fail because of one such row, so they become the last or the first time that has a
 * year of four digits.
 */
export function readableMoment(text: string): string {
  if (ORDINARY.test(text)) return text;
  return LATER.test(text) ? "9999-12-31T23:59:59.999Z" : "0001-01-01T00:00:00.000Z";
}

/** `timestamptz`. */
export const MOMENT_OID = 1184;
