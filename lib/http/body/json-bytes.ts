/** What a byte outside a text begins or separates; 0 for what the scan passes over: blanks, literals, and what is no JSON. */
export const KIND = new Uint8Array(256);
for (const [kind, chars] of [",", ":", "{", "[", "}]", "-0123456789", '"'].entries()) {
  for (const char of chars) KIND[char.charCodeAt(0)] = kind + 1;
}

/** The values of {@link KIND}; the seventh is a text. */
export const COMMA = 1;
export const COLON = 2;
export const OPEN_OBJECT = 3;
export const OPEN_ARRAY = 4;
export const CLOSE = 5;
export const NUMBER = 6;

/** 1 for each byte that may stand in a number. */
export const NUMBER_BYTE = new Uint8Array(256);
for (const char of "0123456789+-.eE") NUMBER_BYTE[char.charCodeAt(0)] = 1;

const NOT_HEX = 0xff;
const HEX_VALUE = new Uint8Array(256).fill(NOT_HEX);
for (const char of "0123456789abcdefABCDEF") HEX_VALUE[char.charCodeAt(0)] = Number.parseInt(char, 16);

/** The code unit of the four hexadecimal digits at `at`, or -1. */
export function codeUnit(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return -1;
  let unit = 0;
  for (let digit = at; digit < at + 4; digit++) {
    const value = HEX_VALUE[bytes[digit] as number] as number;
    if (value === NOT_HEX) return -1;
    unit = unit * 16 + value;
  }
  return unit;
}
