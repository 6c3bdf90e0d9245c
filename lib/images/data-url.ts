import { formatOf, formatOfType, isSvg } from "./format.ts";
import { type ImageFault, WANTED_FORMATS } from "./image-fault.ts";

const DATA_URL = /^data:(image\/[a-z+.-]{1,20});base64,/;

/** Longer than the part before the base64 of any accepted URL. */
const HEAD_CHARS = 64;
const QUOTED_CHARS = 30;

/** Whether a value is a `data:` URL, as opposed to an address. */
export function isDataUrl(value: string): boolean {
  return /^\s*data:/i.test(value.slice(0, HEAD_CHARS));
}

/** Explains why base64 is not canonical. */
function base64Fault(payload: string): string {
  if (payload === "") return "Got an empty file, want an image.";
  const at = payload.search(/[^A-Za-z0-9+/=]/);
  if (at === -1) return "Got base64 that is not canonical, want RFC 4648 base64 with padding.";
  const character = String.fromCodePoint(payload.codePointAt(at) ?? 0);
  return `Got ${JSON.stringify(character)} as character ${at + 1} of the base64, want only A-Z, a-z, 0-9, + and /, and = at its end.`;
}

/**
 * Decodes a `data:` URL whose content matches its declared type.
 * @param url must be `data:image/<type>;base64,` followed by canonical base64 (RFC 4648, section 4)
 */
export function readDataUrl(url: string): { bytes: Buffer } | ImageFault {
  const match = DATA_URL.exec(url.slice(0, HEAD_CHARS));
  const declared = formatOfType(match?.[1] ?? "");
  if (match?.[1]?.startsWith("image/svg"))
    return { fault: `Got SVG, which is a document rather than an image, want ${WANTED_FORMATS}.` };
  if (!match || !declared)
    return {
      fault: `Got "${url.slice(0, QUOTED_CHARS)}…", want a "data:" URL with base64 of a ${WANTED_FORMATS} image.`,
    };
  const payload = url.slice(match[0].length);
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== payload) return { fault: base64Fault(payload) };
  const found = formatOf(bytes);
  if (found !== declared && (found || isSvg(bytes)))
    return { fault: `Got ${found?.name ?? "SVG"}, want ${declared.name} as the URL says.` };
  return { bytes };
}
