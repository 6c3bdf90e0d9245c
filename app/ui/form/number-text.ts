const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
/** Thousands parted by one kind of sign, and decimals behind another. */
const GROUPED = /^([-+]?[1-9]\d{0,2}(?:([ '’٬,.])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,٫](\d*))?$/u;
const DECIMAL_COMMA = /^([-+]?\d*)[,٫](\d*)$/u;
/** Such as 1,234: more than a thousand, or a little more than one. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/** Digits, points and signs as wide as an ideograph, which Japanese and Chinese input methods write. */
const FULL_WIDTH = /[！-～]/g;

/** The digits of a script follow each other, from zero on. */
function valueOfDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * Reads a number as people write it, such as 1234.56, 1,234.56 and 1.234,56, with the digits of any script.
 * @returns "" for no text, and the text itself where it is no number or could be two: the service refuses it, and says what it wants
 */
export function readNumber(text: string): number | string {
  const written = text
    .trim()
    .replace(FULL_WIDTH, (sign) => sign.normalize("NFKC"))
    .replace(/\p{Nd}/gu, valueOfDigit)
    .replace(/^[−–]/, "-")
    .replace(/\s/g, " ");
  if (written === "") return "";
  const plain =
    PLAIN.test(written) || AMBIGUOUS.test(written)
      ? written
      : written
          .replace(GROUPED, (_, whole: string, __, decimals = "") => `${whole.replace(/[^-+\d]/g, "")}.${decimals}`)
          .replace(DECIMAL_COMMA, "$1.$2");
  return PLAIN.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : text;
}
