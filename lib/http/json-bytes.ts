/** The bytes that give a JSON text its structure. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const LOWER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** 1 for each byte that may stand in a number. */
export const NUMBER_BYTE = new Uint8Array(256);
for (const char of "0123456789+-.eE") NUMBER_BYTE[char.charCodeAt(0)] = 1;

const NOT_HEX = 0xff;
const HEX_VALUE = new Uint8Array(256).fill(NOT_HEX);
for (const char of "0123456789abcdefABCDEF") HEX_VALUE[char.charCodeAt(0)] = Number.parseInt(char, 16);

/** 1 for each byte that a number may start with. */
export const NUMBER_START = new Uint8Array(256);
for (const char of "-0123456789") NUMBER_START[char.charCodeAt(0)] = 1;

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
